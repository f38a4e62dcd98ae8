//go:build unix

package main

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// An author saves, and the module serves a real dialog of a running daemon; what does not compile changes nothing.
func TestASavedPluginGoesIntoService(t *testing.T) {
	s := newShell(t)
	d, at := s.startDaemon("--launch")
	folder := filepath.Join(s.dir, "mine")
	s.ok("plugin", "new", "mine", "--lang", "c", "--dir", folder)
	dev := s.start("plugin", "dev", folder, "--swap", "dialog-policy")
	dev.stdout.next(t, "dialog-policy: generation 2 is serving")
	dev.stdout.next(t, "waiting for changes")

	policy := filepath.Join(folder, "policy.c")
	text, err := os.ReadFile(policy)
	if err != nil {
		t.Fatal(err)
	}
	writeFile(t, policy, []byte("nonsense"))
	dev.stderr.next(t, "does not compile the plugin")
	writeFile(t, policy, []byte(strings.Replace(string(text), `HERMES_TEXT("message ")`, `HERMES_TEXT("saved ")`, 1)))
	dev.stdout.next(t, "FAILED")
	dev.stderr.next(t, "cases failed")
	if got := s.history("dialog-policy")[0].Number; got != 2 {
		t.Errorf("generation %d serves after what failed", got)
	}
	writeFile(t, policy, text)
	dev.stdout.next(t, "dialog-policy: generation 3 is serving")
	if out := s.ok("eval", "confirm('Delete everything?')"); strings.TrimSpace(out) != "false" {
		t.Errorf("the dialog gave %s", out)
	}
	dev.stdout.next(t, `"rule":"message *"`)
	if exit := dev.end(syscall.SIGINT); exit != exitOK {
		t.Errorf("it ended with %d", exit)
	}
	s.leavesNothing(d, at, syscall.SIGTERM)
}
