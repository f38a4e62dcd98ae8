package upload

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
)

// Rules are directories without the private files in them.
type Rules struct {
	roots   Roots
	private Roots
	passing func() []string
}

// Without excludes private files and directories with everything below them: those with which a page, or an agent that
// works on one, could gain more rights. They need not exist yet. passing returns those whose names are not known in
// advance.
func (r Roots) Without(private []string, passing func() []string) (Rules, error) {
	rules := Rules{roots: r, passing: passing}
	if len(private) == 0 {
		return rules, nil
	}
	var err error
	rules.private, err = New(private)
	return rules, err
}

// With adds a directory; empty: none.
func (r Rules) With(dir string) Rules {
	if dir != "" {
		r.roots = append(slices.Clone(r.roots), dir)
	}
	return r
}

// PrivateError says that a path is private to the program.
type PrivateError struct{ Path string }

// Error names the path.
func (e *PrivateError) Error() string {
	return fmt.Sprintf("%q may not be used: hermes-cdp keeps files of its own there, whatever %s says", e.Path, Key)
}

// Files is [Roots.Files] for files that are not private.
func (r Rules) Files(paths []string) ([]string, error) {
	real, err := r.roots.Files(paths)
	if err != nil {
		return nil, err
	}
	for i, path := range real {
		if r.isPrivate(path) {
			return nil, &PrivateError{Path: paths[i]}
		}
	}
	return real, nil
}

// Directory is [Roots.Directory] for directories that are not private. A file that is put into a directory could take
// the name of a private file that does not exist yet, so the directory of a private file is private, too.
func (r Rules) Folder(path string) (string, error) {
	real, err := r.roots.Folder(path)
	if err != nil {
		return "", err
	}
	holds := slices.ContainsFunc(r.private, func(private string) bool { return sameDir(filepath.Dir(private), real) })
	if holds || r.isPrivate(real) {
		return "", &PrivateError{Path: path}
	}
	return real, nil
}

func (r Rules) isPrivate(path string) bool {
	all := slices.Concat(r.private, r.passing())
	return all.have(path) || all.link(path)
}

// link reports whether a path is another name of one of the files.
func (r Roots) link(path string) bool {
	info, err := os.Stat(path)
	return err == nil && slices.ContainsFunc(r, func(file string) bool {
		other, err := os.Stat(file)
		return err == nil && os.SameFile(info, other)
	})
}

// sameDir compares a directory, whose path may have symbolic links, with a real path.
func sameDir(dir, real string) bool {
	resolved, err := filepath.EvalSymlinks(dir)
	return dir == real || err == nil && resolved == real
}
