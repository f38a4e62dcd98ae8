package browser

import (
	"os"
	"path/filepath"

	"golang.org/x/sys/windows"
)

// noFollow is nothing: who can make a symbolic link here is this user, or an administrator.
const noFollow = 0

// lockedFilesCanBeRemoved is false: no file goes while it is open, nor does its directory.
const lockedFilesCanBeRemoved = false

// createLocked makes a locked file.
func createLocked(dir string) (*os.File, error) {
	return openAlone(filepath.Join(dir, ownerFile), windows.CREATE_NEW)
}

// publish does nothing: the file has been locked since it was made.
func publish(*os.File, string) error { return nil }

// openLocked opens and locks a file; the error says that another process has it.
func openLocked(path string) (*os.File, error) { return openAlone(path, windows.OPEN_EXISTING) }

// openAlone opens a file that, until it is closed, others can only read.
//
// https://learn.microsoft.com/windows/win32/fileio/creating-and-opening-files
func openAlone(path string, disposition uint32) (*os.File, error) {
	name, err := windows.UTF16PtrFromString(path)
	if err != nil {
		return nil, err
	}
	handle, err := windows.CreateFile(name, windows.GENERIC_READ|windows.GENERIC_WRITE, windows.FILE_SHARE_READ, nil, disposition,
		windows.FILE_ATTRIBUTE_NORMAL|windows.FILE_FLAG_OPEN_REPARSE_POINT, 0)
	if err != nil {
		return nil, &os.PathError{Op: "lock", Path: path, Err: err}
	}
	return os.NewFile(uintptr(handle), path), nil
}

// isOurs reports whether a path is of a kind, and no symbolic link. The directory for temporary files is this user's.
func isOurs(path string, kind func(os.FileMode) bool) bool {
	info, err := os.Lstat(path)
	return err == nil && kind(info.Mode())
}
