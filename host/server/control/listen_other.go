//go:build !unix

package control

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
)

// lockFile creates a file that can not be opened a second time while it is open: where there is no flock, a file that is
// open can not be removed.
func lockFile(path string) (*os.File, error) {
	if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%w: %w", ErrDaemonRunning, err)
	}
	return os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_RDWR, 0o600)
}
