// Package privatedir tells whether a directory is this user's alone.
package privatedir

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
)

// Check accepts a directory, but not a link to one, that belongs to this user and that only its owner can enter.
func Check(dir string) error {
	info, err := os.Lstat(dir)
	if err != nil {
		return err
	}
	switch {
	case info.Mode()&fs.ModeSymlink != 0:
		return errors.New("the directory is a symbolic link; name the directory itself")
	case !info.IsDir():
		return errors.New("it is not a directory")
	}
	if err := checkOwner(info); err != nil {
		return err
	}
	if perm := info.Mode().Perm(); perm&0o077 != 0 && permissionsApply {
		return fmt.Errorf("its permissions are %04o, so others can access it; set them to 0700", perm)
	}
	return nil
}
