//go:build unix

package access

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// LockFile waits until no other process has the lock, for lockPatience at most. The file is never removed, as a lock
// on a removed file excludes nobody. The lock is tried and not waited for: whoever has it may hang, and nothing would
// end the wait.
func LockFile(path string) (io.Closer, error) {
	file, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return nil, err
	}
	for began := time.Now(); ; <-time.After(lockPause) {
		err := unix.Flock(int(file.Fd()), unix.LOCK_EX|unix.LOCK_NB)
		switch {
		case err == nil:
			return file, nil
		case errors.Is(err, unix.EWOULDBLOCK) && time.Since(began) >= lockPatience:
			return nil, errors.Join(fmt.Errorf("another process has had the lock %s for %s: end it", path, lockPatience), file.Close())
		case !errors.Is(err, unix.EWOULDBLOCK) && !errors.Is(err, unix.EINTR):
			return nil, errors.Join(err, file.Close())
		}
	}
}

// OwnedByUser reports whether a file belongs to this user or to root.
func OwnedByUser(info fs.FileInfo) bool {
	stat, ok := info.Sys().(*syscall.Stat_t)
	return ok && (stat.Uid == 0 || int(stat.Uid) == os.Getuid())
}
