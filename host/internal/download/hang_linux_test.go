package download

import (
	"os"
	"path/filepath"
	"runtime"
	"syscall"
	"testing"
)

// hangingFile makes a file in a directory of downloads that never ends when it is read, and that must be copied, as it
// cannot be linked to where it is kept: a named pipe on another file system.
func hangingFile(t *testing.T, beside, name string) (dir string, w *os.File) {
	t.Helper()
	elsewhere, err := os.MkdirTemp("/dev/shm", "hermes-cdp-test-*")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := os.RemoveAll(elsewhere); err != nil {
			t.Error(err)
		}
	})
	if err := syscall.Mkfifo(filepath.Join(elsewhere, name), 0o600); err != nil {
		t.Fatal(err)
	}
	if w, err = os.OpenFile(filepath.Join(elsewhere, name), os.O_RDWR, 0); err != nil {
		t.Fatal(err)
	}
	dir = filepath.Join(beside, ".download-1")
	if err := os.Symlink(elsewhere, dir); err != nil {
		t.Fatal(err)
	}
	return dir, w
}

func TestTheOwnerOfAConnectionDoesNotWaitForTheDisk(t *testing.T) {
	dir := t.TempDir()
	hanging, w := hangingFile(t, dir, "one")
	var downloads Directories
	folder := downloads.join("context", hanging)
	tell := func(method, params string) {
		if !downloads.mu.TryLock() {
			t.Fatal("mu is held while the disk hangs")
		}
		downloads.mu.Unlock()
		downloads.Note(method, []byte(params))
	}
	tell(EventBegan, `{"guid":"one","suggestedFilename":"one.txt"}`)
	tell(EventProgress, `{"guid":"one","state":"completed"}`)
	if downloads.Leave("context") != folder {
		t.Fatal("Leave does not return the directory")
	}
	emptied := make(chan error)
	go func() { emptied <- downloads.Empty(folder) }()
	kept := filepath.Join(dir, "one.txt")
	for _, err := os.Stat(kept); err != nil; _, err = os.Stat(kept) { // until the copy has begun
		runtime.Gosched()
	}
	other := downloads.join("other", dir)
	tell(EventBegan, `{"guid":"two","suggestedFilename":"two.txt"}`)
	tell(EventProgress, `{"guid":"two","state":"completed"}`)
	if files, _, _ := downloads.known(other); files["two"].state != Complete {
		t.Errorf("while one directory hangs, another one has %+v", files)
	}
	if err := w.Close(); err != nil { // the end of the copy
		t.Fatal(err)
	}
	if err := <-emptied; err != nil {
		t.Error(err)
	}
}
