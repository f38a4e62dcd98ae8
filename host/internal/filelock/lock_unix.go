//go:build unix

package filelock

import (
	"os"
	"syscall"
)

// Lock takes the lock on a file, which ends with the process; the error says that another process has it. Go opens
// files with O_CLOEXEC, so that no child inherits it.
func Lock(file *os.File) error {
	return syscall.Flock(int(file.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
}
