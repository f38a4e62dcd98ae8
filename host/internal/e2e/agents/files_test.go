package agents

import (
	"os"
	"path/filepath"
	"testing"
)

// writeFile makes a file to be given to a page.
func writeFile(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "a.txt")
	if err := os.WriteFile(path, []byte("hello"), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}
