//go:build unix

package filelock_test

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/hermes-cdp/hermes-cdp/host/internal/filelock"
)

// Between its fork and its exec, a child has the open files of this process, and the locks on them.
func TestAClosedFileIsNotLockedByAChildThatIsStarting(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "lock")
	held := open(t, path)
	if err := filelock.Lock(held); err != nil {
		t.Fatal(err)
	}
	other := open(t, path)
	defer filelock.Close(other)
	if err := filelock.Lock(other); err == nil {
		t.Fatal("the lock was taken twice")
	}
	child, err := syscall.Dup(int(held.Fd()))
	if err != nil {
		t.Fatal(err)
	}
	defer syscall.Close(child)
	if err := filelock.Close(held); err != nil {
		t.Fatal(err)
	}
	if err := filelock.Lock(other); err != nil {
		t.Errorf("the lock of a file that was closed is held: %v", err)
	}
}

func open(t *testing.T, path string) *os.File {
	t.Helper()
	file, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		t.Fatal(err)
	}
	return file
}
