// Package filelock locks files, so that processes know of each other: a lock ends with the process that has it, however
// it ends.
package filelock
