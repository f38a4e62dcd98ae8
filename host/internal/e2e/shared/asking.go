package shared

import (
	"os/exec"
	"path/filepath"
	"strings"
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
	// A child writes it, for the reason that hosttest.Killable gives.
	write := exec.CommandContext(t.Context(), "sh", "-c", `cat >"$0" && chmod 700 "$0"`, path)
	write.Stdin = strings.NewReader(script)
	if out, err := write.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	return path
}

// OwnAsking is [Own] of a browser that asks about the addresses of other programs.
func OwnAsking(t *testing.T) (address string, process *browser.Process) {
	t.Helper()
	return own(t, browser.LaunchOptions{Executable: AskingExecutable(t)})
}
