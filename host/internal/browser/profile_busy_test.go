package browser

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/hermes-cdp/hermes-cdp/host/fault"
)

// One browser at a time has a profile. Who comes second is told whose it is, waits for it, or has a copy.
func TestAProfileIsUsedByOneBrowser(t *testing.T) {
	dir := t.TempDir()
	first := launch(t, LaunchOptions{UserDataDir: dir, User: "the task one"})
	if by := UserOf(dir); !strings.HasPrefix(by, "the task one (process ") {
		t.Errorf("the profile is used by %q", by)
	}
	executable := os.Getenv("HERMES_CDP_BROWSER_EXECUTABLE")
	_, err := Launch(t.Context(), LaunchOptions{Executable: executable, UserDataDir: dir})
	var busy *ProfileBusyError
	if !errors.As(err, &busy) || !errors.Is(err, fault.ErrProfileBusy) || busy.Dir != dir || !strings.Contains(err.Error(), "the task one (process ") || busy.Since.IsZero() {
		t.Fatalf("the second start gives %v", err)
	}
	if err := Wipe(dir); !errors.Is(err, fault.ErrProfileBusy) {
		t.Errorf("wiping it gives %v", err)
	}
	short, cancel := context.WithTimeout(t.Context(), 2*usePoll)
	defer cancel()
	if _, err := Launch(short, LaunchOptions{Executable: executable, UserDataDir: dir, Busy: BusyWait}); !errors.Is(err, context.DeadlineExceeded) || !errors.As(err, &busy) {
		t.Errorf("a wait that is too short gives %v", err)
	}

	if err := os.WriteFile(filepath.Join(dir, "kept"), []byte("kept"), 0o600); err != nil {
		t.Fatal(err)
	}
	second := launch(t, LaunchOptions{UserDataDir: dir, Busy: BusyCopy})
	if kept, err := os.ReadFile(filepath.Join(second.UserDataDir(), "kept")); string(kept) != "kept" || !second.HasTemporaryProfile() {
		t.Errorf("the copy has %q, %v", kept, err)
	}
	mustClose(t, second)
	if _, err := os.Stat(second.UserDataDir()); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the copy is left: %v", err)
	}

	third := make(chan *Process, 1)
	go func() {
		p, err := Launch(t.Context(), LaunchOptions{Executable: executable, UserDataDir: dir, Busy: BusyWait})
		if err != nil {
			t.Error(err)
		}
		third <- p
	}()
	mustClose(t, first)
	if p := <-third; p != nil {
		mustClose(t, p)
	}
	if by := UserOf(dir); by != "" {
		t.Errorf("at the end the profile is used by %q", by)
	}
	if err := Wipe(dir); err != nil {
		t.Error(err)
	}
	if _, err := os.Stat(dir); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the wiped profile is left: %v", err)
	}
}

// A browser that was not started here has the profile, too.
func TestAProfileOfAnotherBrowserIsBusy(t *testing.T) {
	dir := t.TempDir()
	p := launch(t, LaunchOptions{UserDataDir: dir})
	if err := os.Remove(filepath.Join(dir, useFile)); err != nil { // as if it was another's
		t.Fatal(err)
	}
	if _, err := use(dir, "us"); !errors.Is(err, fault.ErrProfileBusy) || !strings.Contains(err.Error(), "another browser (process ") {
		t.Errorf("using it gives %v", err)
	}
	mustClose(t, p)
	done, err := use(dir, "us")
	if err != nil {
		t.Fatal(err)
	}
	done()
}
