//go:build !unix

package access

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"time"
)

// lockTries bounds how often a lock is tried, lockPause apart.
const (
	lockTries = 500
	lockPause = 20 * time.Millisecond
)

// lockFile creates a file that cannot be opened a second time while it is open: where there is no flock, a file that is open
// cannot be removed.
func lockFile(path string) (io.Closer, error) {
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

// OwnedByUser has nothing to go by: the default folder is in the user's own.
func OwnedByUser(fs.FileInfo) bool { return true }
