// Package upload decides which local files a page may get, and where it may put files: within directories that the
// operator names. Every access to a file is checked here, raw commands included.
package upload

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Key is the configuration key that names the directories.
const Key = "browser.upload_roots"

// Roots are the directories that files may be taken from, as absolute paths.
type Roots []string

// Default returns the working directory, unless that is the root of a file system: services run there, and nobody chose
// it.
func Default() []string {
	here, err := os.Getwd()
	if err != nil || filepath.Dir(here) == here {
		return nil
	}
	return []string{here}
}

// New makes the directories absolute; without any it uses [Default]. A directory need not exist yet.
func New(dirs []string) (Roots, error) {
	if len(dirs) == 0 {
		dirs = Default()
	}
	roots := make(Roots, len(dirs))
	for i, dir := range dirs {
		var err error
		if roots[i], err = filepath.Abs(dir); err != nil {
			return nil, fmt.Errorf("the directory %q: %w", dir, err)
		}
	}
	return roots, nil
}

// OutsideError says that a path is in none of the directories.
type OutsideError struct {
	// Path is the path as given.
	Path string
	// Roots are the directories.
	Roots Roots
}

// Error names the path and the directories.
func (e *OutsideError) Error() string {
	if len(e.Roots) == 0 {
		return fmt.Sprintf("%q may not be used: there is no directory from which files may be taken; set %s", e.Path, Key)
	}
	return fmt.Sprintf("%q may not be used: it is in none of the directories %s; %s sets them", e.Path, strings.Join(e.Roots, ", "), Key)
}

// Files returns the real paths of files, which must be regular files within the directories.
//
// The browser opens a file by its path, often only when a form is sent. It gets the path without symbolic links, so
// that replacing one that was resolved here has no effect. Whoever can write to the directories can still replace the
// file itself with a link until then, and is trusted like the operator.
func (r Roots) Files(paths []string) ([]string, error) {
	out := make([]string, len(paths))
	for i, path := range paths {
		real, err := r.within(path)
		if err != nil {
			return nil, err
		}
		info, err := os.Stat(real)
		if err != nil {
			return nil, fmt.Errorf("the file %q: %w", path, err)
		}
		if !info.Mode().IsRegular() {
			return nil, fmt.Errorf("the file %q is not a regular file (a directory is given alone, to a field for one)", path)
		}
		out[i] = real
	}
	return out, nil
}

// Directory returns the real path of a directory into which files may be put.
func (r Roots) Folder(path string) (string, error) {
	real, err := r.within(path)
	if err != nil {
		return "", err
	}
	if info, err := os.Stat(real); err != nil || !info.IsDir() {
		return "", errors.Join(fmt.Errorf("%q is not a directory", path), err)
	}
	return real, nil
}

// within returns a path without symbolic links. For paths outside it does not even reveal whether they exist.
func (r Roots) within(path string) (string, error) {
	absolute, err := filepath.Abs(path)
	if err != nil {
		return "", fmt.Errorf("the path %q: %w", path, err)
	}
	real, err := filepath.EvalSymlinks(absolute)
	switch {
	case err == nil && r.have(real):
		return real, nil
	case err != nil && r.have(absolute):
		return "", fmt.Errorf("the path %q: %w", path, err)
	}
	return "", &OutsideError{Path: path, Roots: slices.Clone(r)}
}

// have reports whether an absolute path is one of the directories, or below one. A directory can itself be a symbolic
// link.
func (r Roots) have(path string) bool {
	return slices.ContainsFunc(r, func(root string) bool {
		real, err := filepath.EvalSymlinks(root)
		return below(root, path) || err == nil && below(real, path)
	})
}

func below(root, path string) bool {
	relative, err := filepath.Rel(root, path)
	return err == nil && (relative == "." || filepath.IsLocal(relative))
}
