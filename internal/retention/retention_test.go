package retention

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func TestOnlyOurOldFilesAreRemoved(t *testing.T) {
	dir := t.TempDir()
	now := time.Now()
	make := func(name string, age time.Duration) {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, nil, 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(path, now.Add(-age), now.Add(-age)); err != nil {
			t.Fatal(err)
		}
	}
	make("ours-old", 2*time.Hour)
	make("ours-new", time.Minute)
	make("theirs-old", 2*time.Hour)
	if err := os.Mkdir(filepath.Join(dir, "ours-directory"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(filepath.Join(dir, "theirs-old"), filepath.Join(dir, "ours-link")); err != nil {
		t.Fatal(err)
	}
	ours := func(name string) bool { return strings.HasPrefix(name, "ours-") }
	if err := RemoveOld(dir, now.Add(-time.Hour), ours); err != nil {
		t.Fatal(err)
	}
	left, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, f := range left {
		names = append(names, f.Name())
	}
	if got, want := strings.Join(names, " "), "ours-directory ours-link ours-new theirs-old"; got != want {
		t.Errorf("left are %s, want %s", got, want)
	}
	if err := RemoveOld(filepath.Join(dir, "none"), now, ours); err != nil {
		t.Errorf("a directory that is not there: %v", err)
	}
}
