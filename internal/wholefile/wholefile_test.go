package wholefile

import (
	"os"
	"path/filepath"
	"runtime"
	"testing"
)

// wantFile checks a file, and that nothing else is beside it.
func wantFile(t *testing.T, path, text string, mode os.FileMode) {
	t.Helper()
	got, err := os.ReadFile(path)
	if err != nil || string(got) != text {
		t.Errorf("the file says %q, %v, want %q", got, err, text)
	}
	if info, err := os.Stat(path); err != nil || runtime.GOOS != "windows" && info.Mode().Perm() != mode {
		t.Errorf("the mode is %v, %v, want %v", info.Mode(), err, mode)
	}
	if files, err := os.ReadDir(filepath.Dir(path)); err != nil || len(files) != 1 {
		t.Errorf("beside the file there are %v, %v", files, err)
	}
}

func TestAFileIsReplaced(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a")
	for text, mode := range map[string]os.FileMode{"one": 0o600, "two": 0o644} {
		if err := Write(path, []byte(text), mode); err != nil {
			t.Fatal(err)
		}
		wantFile(t, path, text, mode)
	}
}

func TestAnEditedFileKeepsItsMode(t *testing.T) {
	path := filepath.Join(t.TempDir(), "new", "directory", "a")
	if err := Edit(path, []byte("one"), 0o640, 0o755); err != nil {
		t.Fatal(err)
	}
	wantFile(t, path, "one", 0o640)
	if err := Edit(path, []byte("two"), 0o600, 0o700); err != nil {
		t.Fatal(err)
	}
	wantFile(t, path, "two", 0o640)
}

func TestNothingIsLeftOfAFileThatCannotBeWritten(t *testing.T) {
	dir := t.TempDir()
	if err := os.MkdirAll(filepath.Join(dir, "a", "file"), 0o700); err != nil { // no file can take its name
		t.Fatal(err)
	}
	if err := Write(filepath.Join(dir, "a"), nil, 0o600); err == nil {
		t.Error("a directory was replaced")
	}
	if files, err := os.ReadDir(dir); err != nil || len(files) != 1 {
		t.Errorf("there are %v, %v", files, err)
	}
}
