//go:build !unix

package access

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"time"
)

// LockFile creates a file that cannot be created a second time while it is open: on systems without flock, an open file
// cannot be removed. It waits as long as on other systems.
func LockFile(path string) (io.Closer, error) {
	var failed error
	for began := time.Now(); time.Since(began) < lockPatience; <-time.After(lockPause) {
		if err := os.Remove(path); err == nil || errors.Is(err, fs.ErrNotExist) {
			file, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_RDWR, 0o600)
			if err == nil {
				return file, nil
			}
			failed = err
		} else {
			failed = err
		}
	}
	return nil, failed
}

// OwnedByUser cannot tell on this system. The default directory belongs to the user.
func OwnedByUser(fs.FileInfo) bool { return true }
