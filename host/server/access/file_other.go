//go:build !unix

package access

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"time"
)

// lockTries limits how often locking is tried, lockPause apart.
const (
	lockTries = 500
	lockPause = 20 * time.Millisecond
)

// LockFile creates a file that cannot be created a second time while it is open: on systems without flock, an open file
// cannot be removed.
func LockFile(path string) (io.Closer, error) {
	var failed error
	for range lockTries {
		if err := os.Remove(path); err == nil || errors.Is(err, fs.ErrNotExist) {
			file, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_RDWR, 0o600)
			if err == nil {
				return file, nil
			}
			failed = err
		} else {
			failed = err
		}
		<-time.After(lockPause)
	}
	return nil, failed
}

// OwnedByUser cannot tell on this system. The default directory belongs to the user.
func OwnedByUser(fs.FileInfo) bool { return true }
