//go:build unix

package control

import (
	"errors"
	"fmt"
	"os"

	"golang.org/x/sys/unix"

	"github.com/hermes-cdp/hermes-cdp/host/fault"
)

// lockFile acquires a lock that ends with the process, however it ends.
func lockFile(path string) (*os.File, error) {
	file, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return nil, err
	}
	if err := unix.Flock(int(file.Fd()), unix.LOCK_EX|unix.LOCK_NB); err != nil {
		if errors.Is(err, unix.EWOULDBLOCK) {
			err = fmt.Errorf("%w; see hermes-cdp status, or give another one its own control.socket and control.agents_socket", fault.ErrDaemonRunning)
		}
		return nil, errors.Join(err, file.Close())
	}
	return file, nil
}
