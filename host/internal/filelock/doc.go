// Package filelock locks files, so that processes know of each other: a lock ends with the process that has it, however
// it ends.
package filelock

import "os"

// Close ends the lock on a file and closes it. To close it alone does not always end the lock at once.
func Close(file *os.File) error {
	_ = unlock(file) // it ends soon, even so
	return file.Close()
}
