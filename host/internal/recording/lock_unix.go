//go:build unix

package recording

import (
	"errors"
	"os"

	"golang.org/x/sys/unix"
)

// claim marks a file as one that is being written, for as long as it is open. It waits for those who just look at it.
func claim(f *os.File) error { return lock(f, unix.LOCK_EX) }

// claimed reports whether somebody writes a file, also in another process.
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
