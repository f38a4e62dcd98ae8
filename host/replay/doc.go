// Package replay runs recorded hook calls again: on the module that made them, to check that it still decides the same,
// or on two modules, to see on which calls they decide differently.
//
// A replay is exact. Each call has its own instance; the event, configuration, time and random seed are from the
// record, and so are the answers of the store and of the host's state. Only fuel ends a call, never the time that it
// takes. Calls that cannot be repeated are skipped and counted: shadow calls of candidates, calls that were ended by
// the clock or by the host, and calls whose event was not kept because a secret in it could not be masked.
//
// There is one exception: an instance that has served before already has its buffers, and uses slightly less fuel than
// a new one. A call that used nearly all of its fuel can run out of it in a replay.
//
// Two decisions are the same if both abstain, both are errors, both are the same kind of fault, or both are verdicts
// with the same meaning. The texts of reasons and faults are for people, and are not compared.
package replay
