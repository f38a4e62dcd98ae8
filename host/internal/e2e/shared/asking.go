package shared

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/hermes-cdp/hermes-cdp/host/hosttest"
	"github.com/hermes-cdp/hermes-cdp/host/internal/browser"
)

// AskingExecutable is a browser that asks about the addresses of other programs, as those do that others start: it does
// not find what a browser of ours finds first.
func AskingExecutable(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "asking-browser")
	script := "#!/bin/sh\nPATH=\"${PATH#*:}\" exec '" + hosttest.Executable(t) + "' \"$@\"\n"
	if err := os.WriteFile(path, []byte(script), 0o700); err != nil { //nolint:gosec // a script
		t.Fatal(err)
	}
	return path
}

// OwnAsking is [Own] of a browser that asks about the addresses of other programs.
func OwnAsking(t *testing.T) (address string, process *browser.Process) {
	t.Helper()
	return own(t, browser.LaunchOptions{Executable: AskingExecutable(t)})
}
