package upload

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
)

func TestWhatIsPrivateIsNeverUsed(t *testing.T) {
	dir := tree(t)
	at := func(name string) string { return filepath.Join(dir, name) }
	roots, err := New([]string{dir})
	if err != nil {
		t.Fatal(err)
	}
	var passing []string
	rules, err := roots.Without([]string{at("alias/file"), at("outside"), at("root-other/not-there-yet")}, func() []string { return passing })
	if err != nil {
		t.Fatal(err)
	}
	for path, private := range map[string]bool{
		"root/file": true, "alias/file": true, "outside/secret": true, "root/out": true, "root/outside/secret": true, "root/absolute": true,
		"root/below/../file": true, "root/below/file": false, "root/in": false, "root/..file": false, "root-other/file": false,
	} {
		got, err := rules.Files([]string{at("root/in"), dir + "/" + path})
		var refused *PrivateError
		if private != errors.As(err, &refused) || !private && (err != nil || len(got) != 2) || private && refused.Path != dir+"/"+path {
			t.Errorf("%s: got %v, %v", path, got, err)
		}
	}
	for path, private := range map[string]bool{
		"outside": true, "root/outside": true, "root": true, "alias": true, "root-other": true, "root/below": false, ".": true,
	} {
		var refused *PrivateError
		if _, err := rules.Folder(at(path)); private != errors.As(err, &refused) || !private && err != nil {
			t.Errorf("the directory %s: %v", path, err)
		}
	}
	passing = []string{at("alias/below")} // it exists now
	if _, err := rules.Files([]string{at("root/in")}); !errors.As(err, new(*PrivateError)) {
		t.Errorf("a file of what came later: %v", err)
	}
	if _, err := rules.Folder(at("root/below")); !errors.As(err, new(*PrivateError)) {
		t.Errorf("a directory that came later: %v", err)
	}
	if _, err := rules.Files([]string{"/etc/passwd"}); !errors.As(err, new(*OutsideError)) {
		t.Errorf("what is outside: %v", err)
	}
}

func TestWithoutPrivateFilesNothingIsExcluded(t *testing.T) {
	dir := tree(t)
	rules, err := (Roots{dir}).Without(nil, func() []string { return []string{filepath.Join(dir, "root/below")} })
	if err != nil {
		t.Fatal(err)
	}
	if _, err := rules.Files([]string{filepath.Join(dir, "outside/secret")}); err != nil {
		t.Error(err)
	}
	if _, err := rules.Folder(filepath.Join(dir, "root")); err != nil {
		t.Error(err)
	}
}

// A second name of a private file is as good as the first.
func TestAHardLinkToAPrivateFileIsNeverUsed(t *testing.T) {
	dir := tree(t)
	at := func(name string) string { return filepath.Join(dir, name) }
	if err := os.Link(at("outside/secret"), at("root/hard")); err != nil {
		t.Fatal(err)
	}
	rules, err := (Roots{at("root")}).Without([]string{at("missing"), at("outside/secret")}, func() []string { return nil })
	if err != nil {
		t.Fatal(err)
	}
	if _, err := rules.Files([]string{at("root/hard")}); !errors.As(err, new(*PrivateError)) {
		t.Errorf("it was allowed: %v", err)
	}
	if _, err := rules.Files([]string{at("root/in")}); err != nil {
		t.Errorf("another file: %v", err)
	}
}
