//go:build unix

package filelock

import (
	"errors"
	"os"

	"golang.org/x/sys/unix"
)

// Lock takes the lock on a file, which ends with the process; the error says that another process has it.
func Lock(file *os.File) error { return lock(file, unix.LOCK_EX|unix.LOCK_NB) }

// Wait is Lock that waits until nobody else has the lock.
func Wait(file *os.File) error { return lock(file, unix.LOCK_EX) }

// IsLocked reports whether anybody has the lock. Until the file is closed, others that ask see no lock, and those that
// want it wait.
func IsLocked(file *os.File) bool {
	return errors.Is(lock(file, unix.LOCK_SH|unix.LOCK_NB), unix.EWOULDBLOCK)
}

// unlock ends the lock in children as well: one that this process starts at the moment shares its open files, and with
// them their locks, until it runs its program (Go opens files with O_CLOEXEC).
func unlock(file *os.File) error { return lock(file, unix.LOCK_UN) }

func lock(file *os.File, how int) error {
	for {
		if err := unix.Flock(int(file.Fd()), how); !errors.Is(err, unix.EINTR) { //nolint:gosec // a descriptor fits
			return err
		}
	}
}
