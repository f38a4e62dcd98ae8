package candidate

import (
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// sourceTolerance is how much newer than its module a source may be: a checkout writes both in any order.
const sourceTolerance = 10 * time.Second

// sources end the names of the files that modules are built from, and builds are the directories of their builds.
var (
	sources = []string{".go", ".rs", ".zig", ".c", ".h", ".ts", "manifest.json", "go.mod", "Cargo.toml"}
	builds  = []string{"node_modules", "target", "testdata", "zig-out"}
)

// NewerSource finds a source beside a module that was changed after the module was built, in the directory of a plugin;
// empty: there is none, or the module is elsewhere.
func NewerSource(module string) string {
	built, err := os.Stat(module)
	dir := filepath.Dir(module)
	if _, missing := os.Stat(filepath.Join(dir, "manifest.json")); err != nil || missing != nil {
		return ""
	}
	newer := ""
	_ = filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return nil //nolint:nilerr // what cannot be read says nothing of the module
		}
		if entry.IsDir() {
			if path != dir && (strings.HasPrefix(entry.Name(), ".") || slices.Contains(builds, entry.Name())) {
				return fs.SkipDir
			}
			return nil
		}
		isSource := func(end string) bool { return strings.HasSuffix(entry.Name(), end) }
		if !slices.ContainsFunc(sources, isSource) || strings.HasSuffix(entry.Name(), "_test.go") {
			return nil
		}
		if info, err := entry.Info(); err == nil && info.ModTime().After(built.ModTime().Add(sourceTolerance)) {
			newer = path
			return fs.SkipAll
		}
		return nil
	})
	return newer
}
