package filelock

import (
	"os"

	"golang.org/x/sys/windows"
)

// beyond is where the locked byte is: far behind what is written, since others cannot read a locked one.
const beyond = 1 << 30

// Lock takes the lock on a file, which ends with the process; the error says that another process has it.
func Lock(file *os.File) error {
	at := windows.Overlapped{OffsetHigh: 0, Offset: beyond}
	return windows.LockFileEx(windows.Handle(file.Fd()), windows.LOCKFILE_EXCLUSIVE_LOCK|windows.LOCKFILE_FAIL_IMMEDIATELY, 0, 1, 0, &at)
}
