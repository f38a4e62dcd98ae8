package shared

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// declaration begins a test.
var declaration = regexp.MustCompile(`(?m)^func (Test\w+)\(`)

// DeclaredTests are the tests below some directories, for tables of the documents that name them.
func DeclaredTests(t *testing.T, roots ...string) map[string]bool {
	t.Helper()
	declared := map[string]bool{}
	for _, root := range roots {
		err := filepath.WalkDir(root, func(path string, _ fs.DirEntry, err error) error {
			if err != nil || !strings.HasSuffix(path, "_test.go") {
				return err
			}
			source, err := os.ReadFile(path)
			for _, name := range declaration.FindAllSubmatch(source, -1) {
				declared[string(name[1])] = true
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return declared
}
