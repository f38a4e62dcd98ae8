//go:build unix

package browser

import (
	"errors"
	"os"
	"syscall"

	"github.com/hermes-cdp/hermes-cdp/host/internal/filelock"
)

// noFollow makes it an error to open a symbolic link.
const noFollow = syscall.O_NOFOLLOW

// lockedFilesCanBeRemoved is true where a file may go while it is open.
const lockedFilesCanBeRemoved = true

// createLocked makes a locked file, which publish gives its name: so no one can lock it first.
func createLocked(dir string) (*os.File, error) {
	file, err := os.CreateTemp(dir, ownerFile+"-")
	if err != nil {
		return nil, err
	}
	return locked(file)
}

func publish(file *os.File, path string) error { return os.Rename(file.Name(), path) }

// openLocked opens and locks a file; the error says that another process has it.
func openLocked(path string) (*os.File, error) {
	file, err := os.OpenFile(path, os.O_RDWR|noFollow, 0)
	if err != nil {
		return nil, err
	}
	return locked(file)
}

func locked(file *os.File) (*os.File, error) {
	if err := filelock.Lock(file); err != nil {
		return nil, errors.Join(err, file.Close())
	}
	return file, nil
}

// isOurs reports whether a path is of a kind, no symbolic link, and belongs to this user.
func isOurs(path string, kind func(os.FileMode) bool) bool {
	info, err := os.Lstat(path)
	if err != nil || !kind(info.Mode()) {
		return false
	}
	stat, ok := info.Sys().(*syscall.Stat_t)
	return ok && int(stat.Uid) == os.Geteuid()
}
