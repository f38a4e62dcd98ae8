// Package replay runs recorded hook calls again: on the module that made them, to see that it still decides the same, or
// on two modules, to see on which calls they decide otherwise.
//
// A replay is exact. Each call has an instance of its own; event, configuration, time and random seed are those of the
// record, and so are the answers of the store and of the host's state. Only fuel ends a call, never the time that it
// takes. What cannot be repeated is left out and counted: shadow calls of candidates, calls that were ended by the clock
// or by the host, and calls whose event was not kept because a secret could not be masked in it.
//
// One thing a fresh instance cannot repeat: an instance that has served before has its buffers already, and so uses a little
// less fuel. A call that used nearly all of its fuel can run out of it in a replay.
//
// Two calls decide the same when both abstain, both end with an error, both fault in the same way, or both give verdicts
// that mean the same. The texts of reasons and faults are for people and not compared.
package replay
