//go:build unix

package recording

import (
	"errors"
	"os"

	"golang.org/x/sys/unix"
)

// claim marks a file as being written, as long as it is open. It waits for processes that are only checking the mark.
func claim(f *os.File) error { return lock(f, unix.LOCK_EX) }

// claimed reports whether any process is writing a file.
func claimed(f *os.File) bool {
	return errors.Is(lock(f, unix.LOCK_SH|unix.LOCK_NB), unix.EWOULDBLOCK)
}

func lock(f *os.File, how int) error {
	for {
		if err := unix.Flock(int(f.Fd()), how); !errors.Is(err, unix.EINTR) { //nolint:gosec // a descriptor fits
			return err
		}
	}
}
