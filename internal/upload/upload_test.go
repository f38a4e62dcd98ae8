package upload

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// tree makes directories with files: root/file, root/below/file, outside/secret, and links between them.
func tree(t *testing.T) (dir string) {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"root/file", "root/below/file", "root/..file", "root-other/file", "outside/secret"} {
		path := filepath.Join(dir, name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o700), os.WriteFile(path, []byte(name), 0o600)); err != nil {
			t.Fatal(err)
		}
	}
	for link, to := range map[string]string{
		"root/out": "../outside/secret", "root/outside": "../outside", "root/in": "below/file", "root/broken": "../outside/nothing",
		"alias": "root", "root/absolute": filepath.Join(dir, "outside/secret"),
	} {
		if err := os.Symlink(to, filepath.Join(dir, link)); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func TestFilesComeOnlyFromTheDirectories(t *testing.T) {
	dir := tree(t)
	for _, root := range []string{"root", "alias"} {
		roots, err := New([]string{filepath.Join(dir, root)})
		if err != nil {
			t.Fatal(err)
		}
		for path, real := range map[string]string{ // empty: it is outside; -: it is not a file
			"root/file": "root/file", "root/below/../file": "root/file", "root/..file": "root/..file", "root/in": "root/below/file",
			"alias/below/file": "root/below/file", "outside/secret": "", "root/../outside/secret": "", "root/out": "", "root/outside/secret": "",
			"root/absolute": "", "root-other/file": "", "outside/nothing": "", "/etc/passwd": "", "/proc/self/environ": "",
			"root/nothing": "-", "root": "-", "root/below": "-",
		} {
			if !filepath.IsAbs(path) {
				path = dir + "/" + path // as it stands, and not cleaned
			}
			got, err := roots.Files([]string{filepath.Join(dir, "root/file"), path})
			var outside *OutsideError
			switch {
			case real == "":
				if !errors.As(err, &outside) || !strings.Contains(err.Error(), roots[0]) || !strings.Contains(err.Error(), Key) {
					t.Errorf("%s: got %v, %v, want an error that names the directory", path, got, err)
				}
			case real == "-":
				if err == nil || errors.As(err, &outside) {
					t.Errorf("%s: got %v, %v, want an error about the file", path, got, err)
				}
			case err != nil || got[1] != filepath.Join(dir, real):
				t.Errorf("%s: got %v, %v, want %s", path, got, err, real)
			}
		}
	}
}

func TestDirectoriesForDownloads(t *testing.T) {
	dir := tree(t)
	roots := Roots{filepath.Join(dir, "root")}
	for path, fine := range map[string]bool{"root": true, "root/below": true, "root/file": false, "root/outside": false, "outside": false, "root/new": false} {
		if _, err := roots.Folder(filepath.Join(dir, path)); (err == nil) != fine {
			t.Errorf("%s: got %v", path, err)
		}
	}
}

func TestTheWorkingDirectoryIsTheDefault(t *testing.T) {
	dir := tree(t)
	t.Chdir(filepath.Join(dir, "root"))
	roots, err := New(nil)
	if err != nil || !slices.Equal(roots, Roots{filepath.Join(dir, "root")}) {
		t.Fatalf("got %v, %v", roots, err)
	}
	if got, err := roots.Files([]string{"file"}); err != nil || got[0] != filepath.Join(dir, "root/file") {
		t.Errorf("got %v, %v", got, err)
	}
	t.Chdir("/")
	roots, err = New(nil)
	if err != nil || len(roots) > 0 {
		t.Fatalf("at the root of the file system: %v, %v", roots, err)
	}
	if _, err := roots.Files([]string{"/etc/passwd"}); err == nil || !strings.Contains(err.Error(), Key) {
		t.Errorf("got %v", err)
	}
}
