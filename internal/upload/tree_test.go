package upload

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func TestADirectoryIsGivenAsAWholeOrNotAtAll(t *testing.T) {
	root, outside := t.TempDir(), t.TempDir()
	write := func(path string) {
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o700), os.WriteFile(path, nil, 0o600)); err != nil {
			t.Fatal(err)
		}
	}
	at := func(name string) string { return filepath.Join(root, name) }
	for _, name := range []string{"good/a", "good/sub/b", "private/a", "private/sub/secret", "linked/a", "dangling/a"} {
		write(at(name))
	}
	write(filepath.Join(outside, "file"))
	for i := range MaxFiles + 1 {
		write(at(fmt.Sprintf("many/%d", i)))
	}
	for name, to := range map[string]string{"linked/out": outside, "dangling/gone": at("gone"), "link": at("good")} {
		if err := os.Symlink(to, at(name)); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Mkdir(at("empty"), 0o700); err != nil {
		t.Fatal(err)
	}
	rules, err := (Roots{root}).Without([]string{at("private/sub/secret")}, func() []string { return nil })
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"good", "link"} {
		given, err := rules.Take([]string{at(name)})
		want := []string{at("good/a"), at("good/sub/b")}
		if err != nil || !given.Directory || !slices.Equal(given.Paths, []string{at("good")}) || !slices.Equal(given.Files, want) {
			t.Errorf("%s: %+v, %v", name, given, err)
		}
	}
	for name, why := range map[string]string{
		"private": "may not be used", "linked": "symbolic link", "dangling": "symbolic link", "many": "more than 1000", "empty": "no file",
	} {
		if given, err := rules.Take([]string{at(name)}); err == nil || !strings.Contains(err.Error(), why) {
			t.Errorf("%s: %+v, %v", name, given, err)
		}
	}
	if _, err := rules.Take([]string{at("private")}); err == nil || strings.Contains(err.Error(), "secret") {
		t.Errorf("where private files are is told: %v", err)
	}
	if _, err := rules.Take([]string{outside}); !errors.As(err, new(*OutsideError)) {
		t.Errorf("a directory outside: %v", err)
	}
	if _, err := rules.Take([]string{at("good"), at("good/a")}); err == nil {
		t.Error("a directory is given together with a file")
	}
	if given, err := rules.Take([]string{at("good/a"), at("good/sub/b")}); err != nil || given.Directory || len(given.Files) != 2 {
		t.Errorf("files: %+v, %v", given, err)
	}
}
