// Package audit records what operators do to a daemon: who, what, when, and what came of it.
//
// A record is a line of JSON in a file that is only appended to, and that others cannot read. Records have no text of
// a page, no text for one, no script and no secret.
package audit
