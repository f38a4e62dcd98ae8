package filelock

import (
	"errors"
	"os"

	"golang.org/x/sys/windows"
)

// beyond is the upper half of the offset of the locked byte: far behind what any file has, since nobody else can read a
// locked one.
const beyond = 1 << 20

// Lock takes the lock on a file, which ends with the process; the error says that another process has it.
func Lock(file *os.File) error {
	return lock(file, windows.LOCKFILE_EXCLUSIVE_LOCK|windows.LOCKFILE_FAIL_IMMEDIATELY)
}

// Wait is Lock that waits until nobody else has the lock.
func Wait(file *os.File) error { return lock(file, windows.LOCKFILE_EXCLUSIVE_LOCK) }

// IsLocked reports whether anybody has the lock. Until the file is closed, others that ask see no lock, and those that
// want it wait.
func IsLocked(file *os.File) bool {
	return errors.Is(lock(file, windows.LOCKFILE_FAIL_IMMEDIATELY), windows.ERROR_LOCK_VIOLATION)
}

// unlock is needed: the system ends the locks of a file that is closed when it has time.
//
// https://learn.microsoft.com/windows/win32/api/fileapi/nf-fileapi-lockfileex
func unlock(file *os.File) error {
	return windows.UnlockFileEx(windows.Handle(file.Fd()), 0, 1, 0, &windows.Overlapped{OffsetHigh: beyond})
}

func lock(file *os.File, flags uint32) error {
	return windows.LockFileEx(windows.Handle(file.Fd()), flags, 0, 1, 0, &windows.Overlapped{OffsetHigh: beyond})
}
