//go:build unix

package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/hermes-cdp/hermes-cdp/host"
)

// A person's own browser is found without an address, is started if it is wanted, and stays when its tasks end.
func TestABrowserOfThePersonIsFoundOrStarted(t *testing.T) {
	s := newShell(t)
	browser, err := host.FindBrowser(os.Getenv("HERMES_CDP_BROWSER_EXECUTABLE"))
	if err != nil {
		t.Fatal(err)
	}
	// There need not be a screen here.
	script, pidFile := filepath.Join(s.dir, "windowed"), filepath.Join(s.dir, "pid")
	text := fmt.Sprintf("#!/bin/sh\necho $$ > '%s'\nexec '%s' --headless \"$@\"\n", pidFile, browser)
	if err := os.WriteFile(script, []byte(text), 0o700); err != nil {
		t.Fatal(err)
	}
	s.env = []string{"HERMES_CDP_BROWSER_EXECUTABLE=" + script, "XDG_DATA_HOME=", "DISPLAY=:0"}
	s.startDaemon()
	if code, message := s.refused(exitFailed, "connect"); code != "no_browser" || !strings.Contains(message, "connect --start") {
		t.Fatalf("without a browser: %s: %s", code, message)
	}
	s.ok("connect", "--start", "--task", "one")
	pid := pidIn(t, pidFile)
	t.Cleanup(func() { _ = syscall.Kill(-pid, syscall.SIGKILL) })
	s.ok("connect", "--start", "--task", "two")
	if again := pidIn(t, pidFile); again != pid {
		t.Error("a second browser was started")
	}
	active, err := os.ReadFile(filepath.Join(s.dir, ".local/share/hermes-cdp/browser/DevToolsActivePort"))
	if err != nil {
		t.Fatal(err)
	}
	port, _, _ := strings.Cut(string(active), "\n")
	s.ok("connect", port, "--task", "three")
	for _, task := range []string{"one", "two", "three"} {
		if got := strings.TrimSpace(s.ok("eval", "--task", task, "1+1")); got != "2" {
			t.Errorf("in task %s 1+1 is %s", task, got)
		}
		s.ok("disconnect", task)
	}
	if err := syscall.Kill(pid, 0); err != nil {
		t.Errorf("the browser ended with its tasks: %v", err)
	}
	s.ok("connect", "--task", "one")
}

func pidIn(t *testing.T, file string) int {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	pid, err := strconv.Atoi(strings.TrimSpace(string(text)))
	if err != nil {
		t.Fatal(err)
	}
	return pid
}
