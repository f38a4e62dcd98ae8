//go:build unix

package main

import (
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

func TestPowersAreGrantedFromTheShell(t *testing.T) {
	s := newShell(t)
	navigate, dialog := filepath.Join("..", "..", "host", "internal", "e2e", "testdata", "navigate.wasm"), filepath.Join(fixtures, "dialog_only.wasm")
	if code, message := s.refused(exitUsage, "run", "--set", "browser.dialog_policy=auto_acept"); code != "dialog_policy" || !strings.Contains(message, "know must_respond, auto_dismiss, auto_accept") {
		t.Errorf("a policy that no plugin knows: %s, %s", code, message)
	}
	if _, message := s.refused(exitFailed, "run", "--strict", "--set", "plugins.guard.path="+navigate); !strings.Contains(message, "hooks: [navigate]") {
		t.Errorf("a module without a grant: %s", message)
	}
	d, at := s.startDaemon("--set", "plugins.guard.path="+dialog, "--set", "plugins.guard.hooks=dialog,navigate")
	if code, message := s.refused(exitFailed, "plugin", "swap", "guard", navigate); code != "plugin_refused" || !strings.Contains(message, "--drop-hook") {
		t.Errorf("a hook that is left: %s, %s", code, message)
	}
	if code, _ := s.refused(exitUsage, "plugin", "swap", "guard", navigate, "--drop-hook", "dialogs"); code != "unknown_hook" {
		t.Errorf("a hook that is none: %s", code)
	}
	if out := s.ok("plugin", "swap", "guard", navigate, "--drop-hook", "dialog"); !strings.Contains(out, "new power: navigate, allows, denies and rewrites navigations") {
		t.Errorf("the swap says\n%s", out)
	}
	if code, _ := s.refused(exitFailed, "plugin", "rollback", "guard"); code != "plugin_refused" {
		t.Errorf("a rollback that leaves a hook: %s", code)
	}
	s.ok("plugin", "rollback", "guard", "--drop-hook", "navigate")
	if out := s.ok("plugin", "inspect", navigate); !strings.HasPrefix(out, "power") {
		t.Errorf("inspect begins with\n%s", out)
	}
	s.leavesNothing(d, at, syscall.SIGTERM)
}
