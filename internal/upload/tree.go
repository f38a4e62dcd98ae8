package upload

import (
	"fmt"
	"io/fs"
	"path/filepath"
)

// MaxFiles is how many files a directory may have that is given as a whole.
const MaxFiles = 1000

// maxEntries bounds what is looked at for that, empty directories included.
const maxEntries = 10 * MaxFiles

// Given is what a page is given: files, or one directory with all that is in it.
type Given struct {
	// Paths are the real paths that the browser is told.
	Paths []string
	// Files are the real paths of all files that the page gets.
	Files []string
	// Directory says that the only path is that of a directory.
	Directory bool
}

// Take is [Rules.Files] for files, or for a single directory. The browser reads all that is below it by itself, so
// nothing may be there that could not be given by itself: no private file, no symbolic link, which may lead out of the
// directories, and nothing that is no regular file.
func (r Rules) Take(paths []string) (Given, error) {
	if len(paths) == 1 {
		if dir, err := r.roots.Folder(paths[0]); err == nil {
			files, err := r.tree(paths[0], dir)
			return Given{Paths: []string{dir}, Files: files, Directory: true}, err
		}
	}
	files, err := r.Files(paths)
	return Given{Paths: files, Files: files}, err
}

// tree lists the files below a directory, in lexical order.
func (r Rules) tree(name, dir string) (files []string, err error) {
	entries := 0
	err = filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		relative, _ := filepath.Rel(dir, path) // it is below it
		entries++
		switch {
		case err != nil:
			return fmt.Errorf("the directory %q: %w", name, err)
		case len(files) == MaxFiles && !entry.IsDir() || entries > maxEntries:
			return fmt.Errorf("the directory %q has more than %d files, or %d files and directories", name, MaxFiles, maxEntries)
		case r.isPrivate(path):
			return &PrivateError{Path: name} // and not where in it they are
		case entry.IsDir():
			return nil
		case entry.Type()&fs.ModeSymlink != 0:
			return fmt.Errorf("the directory %q cannot be given: %q in it is a symbolic link; give the files themselves", name, relative)
		case !entry.Type().IsRegular():
			return fmt.Errorf("the directory %q cannot be given: %q in it is not a regular file", name, relative)
		}
		files = append(files, path)
		return nil
	})
	if err == nil && len(files) == 0 {
		err = fmt.Errorf("the directory %q has no file", name)
	}
	return files, err
}
