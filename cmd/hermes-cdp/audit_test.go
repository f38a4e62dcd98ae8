//go:build unix

package main

import (
	"strings"
	"syscall"
	"testing"

	"github.com/hermes-cdp/hermes-cdp/host/server/audit"
)

// The record is one, whether a daemon has written to it or a command alone.
func TestTheRecordIsReadWithAndWithoutADaemon(t *testing.T) {
	s := newShell(t)
	s.ok("token", "new", "--name", "before", "--task", "a", "--toolset", "browser")
	p, _ := s.startDaemon()
	s.ok("token", "new", "--name", "during", "--task", "a", "--toolset", "browser")
	s.refused(exitFailed, "plugin", "rollback", "nothing")
	s.ok("log", "level", "audit=debug")
	if out := s.ok("log", "level"); !strings.HasPrefix(out, "level info\naudit=debug\n") {
		t.Errorf("the levels are %s", out)
	}
	if code, _ := s.refused(exitUsage, "log", "level", "warn", "engine"); code != "usage" {
		t.Errorf("a package without a level: %s", code)
	}
	list := func(args ...string) (actions []string) {
		t.Helper()
		for _, e := range get[[]audit.Entry](s, append([]string{"audit"}, args...)...) {
			actions = append(actions, e.Via+" "+e.Action+" "+e.Outcome)
		}
		return actions
	}
	want := "command token.new done, socket token.new done, socket plugin.rollback failed, socket log.level done"
	if got := strings.Join(list(), ", "); got != want {
		t.Errorf("the record has %s", got)
	}
	if got := list("--action", "token", "--max", "1"); len(got) != 1 || got[0] != "socket token.new done" {
		t.Errorf("the last of tokens is %v", got)
	}
	p.end(syscall.SIGTERM)
	if got := strings.Join(list("--since", "1h"), ", "); got != want {
		t.Errorf("without the daemon it has %s", got)
	}
	if out := s.ok("audit", "--plugin", "nothing"); !strings.Contains(out, "plugin.rollback") || strings.Contains(out, "token.new") {
		t.Errorf("of the plugin it has %s", out)
	}
	if code, _ := s.refused(exitUsage, "audit", "--max", "0"); code != "usage" {
		t.Errorf("--max 0: %s", code)
	}
}
