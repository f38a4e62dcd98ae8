// Package wholefile writes files as a whole or not at all.
package wholefile

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
)

// Write replaces a file in one step: whoever reads it meanwhile sees all of the old one or all of the new one. The
// directory must exist.
func Write(path string, data []byte, mode fs.FileMode) error {
	partial, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+".*")
	if err != nil {
		return err
	}
	_, err = partial.Write(data)
	if err = errors.Join(err, partial.Chmod(mode), partial.Sync(), partial.Close()); err == nil {
		err = os.Rename(partial.Name(), path)
	}
	if err != nil {
		return errors.Join(err, os.Remove(partial.Name()))
	}
	return nil
}

// Edit is Write for a file that keeps its mode; mode is for a new one, and directory for the directories that are
// missing.
func Edit(path string, data []byte, mode, directory fs.FileMode) error {
	if info, err := os.Stat(path); err == nil {
		mode = info.Mode().Perm()
	}
	if err := os.MkdirAll(filepath.Dir(path), directory); err != nil {
		return err
	}
	return Write(path, data, mode)
}
