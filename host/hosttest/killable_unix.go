//go:build unix

package hosttest

import (
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// Killable gives an executable that becomes the browser of [Executable], and a function that ends the one that was
// started last by SIGKILL, its main process alone, as a crash would. It is for tests of what starts browsers by itself.
func Killable(t testing.TB) (executable string, kill func()) {
	t.Helper()
	dir := t.TempDir()
	executable, note := filepath.Join(dir, "browser"), filepath.Join(dir, "pid")
	quoted := func(s string) string { return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'" }
	script := "#!/bin/sh\necho $$ >" + quoted(note) + "\nexec " + quoted(Executable(t)) + ` "$@"` + "\n"
	// A child writes it. If this process did, another goroutine that starts a process at that moment would hand the open
	// file down, and starting the script would fail with ETXTBSY: https://go.dev/issue/22315.
	write := exec.CommandContext(t.Context(), "sh", "-c", `cat >"$0" && chmod 700 "$0"`, executable)
	write.Stdin = strings.NewReader(script)
	if out, err := write.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	return executable, func() {
		t.Helper()
		text, err := os.ReadFile(note)
		if err != nil {
			t.Fatalf("no browser was started: %v", err)
		}
		pid, err := strconv.Atoi(strings.TrimSpace(string(text)))
		if err != nil {
			t.Fatal(err)
		}
		process, err := os.FindProcess(pid)
		if err != nil {
			t.Fatal(err)
		}
		if err := process.Kill(); err != nil {
			t.Fatalf("the browser could not be killed: %v", err)
		}
	}
}
