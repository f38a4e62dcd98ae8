package doctor

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// What a program has started may hold its output open after its end.
func TestAProgramThatPrintsNothingIsNotWaitedForWithAllThatItStarted(t *testing.T) {
	dir := t.TempDir()
	holds, ready, program := filepath.Join(dir, "holds"), filepath.Join(dir, "ready"), filepath.Join(dir, "program")
	script := "#!/bin/sh\ncat " + holds + " &\necho >" + ready + "\nexec sleep 1000\n"
	if err := errors.Join(unix.Mkfifo(holds, 0o600), unix.Mkfifo(ready, 0o600), os.WriteFile(program, []byte(script), 0o700)); err != nil {
		t.Fatal(err)
	}
	held, err := os.OpenFile(holds, os.O_RDWR, 0) // what the program starts ends when this is closed
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = held.Close() }()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	done := make(chan error, 1)
	go func() {
		_, err := outputOf(ctx, program)
		done <- err
	}()
	if _, err := os.ReadFile(ready); err != nil {
		t.Fatal(err)
	}
	cancel()
	select {
	case err := <-done:
		if err == nil {
			t.Error("it is said to have printed something")
		}
	case <-time.After(time.Minute):
		t.Error("the call goes on waiting for what the program has started")
	}
}
