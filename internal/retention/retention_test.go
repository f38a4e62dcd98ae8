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

func TestTheFilesThatWereWrittenFirstGoUntilTheRestFits(t *testing.T) {
	dir, now := t.TempDir(), time.Now()
	for i, name := range []string{"ours-d", "ours-c", "theirs", "ours-b", "ours-a"} { // the last is the oldest
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, make([]byte, 100), 0o600); err != nil {
			t.Fatal(err)
		}
		if at := now.Add(-time.Duration(i) * time.Minute); os.Chtimes(path, at, at) != nil {
			t.Fatal("no time")
		}
	}
	ours := func(name string) bool { return strings.HasPrefix(name, "ours-") }
	for _, step := range []struct {
		limit int64
		want  string
	}{{400, "ours-a ours-b ours-c ours-d theirs"}, {399, "ours-b ours-c ours-d theirs"}, {150, "ours-d theirs"}, {0, "theirs"}} {
		if err := RemoveOver(dir, step.limit, ours); err != nil {
			t.Fatal(err)
		}
		left, err := filepath.Glob(filepath.Join(dir, "*"))
		if err != nil {
			t.Fatal(err)
		}
		for i := range left {
			left[i] = filepath.Base(left[i])
		}
		if got := strings.Join(left, " "); got != step.want {
			t.Errorf("with %d bytes, left are %s, want %s", step.limit, got, step.want)
		}
	}
	if err := RemoveOver(filepath.Join(dir, "none"), 0, ours); err != nil {
		t.Errorf("a directory that is not there: %v", err)
	}
}
