//go:build !unix

package control

import (
	"errors"
	"fmt"
	"io/fs"
	"os"

	"github.com/hermes-cdp/hermes-cdp/host/fault"
)

// lockFile creates a file that cannot be created a second time while it is open: on systems without flock, an open file
// cannot be removed.
func lockFile(path string) (*os.File, error) {
	if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%w: %w", fault.ErrDaemonRunning, err)
	}
	return os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_RDWR, 0o600)
}
