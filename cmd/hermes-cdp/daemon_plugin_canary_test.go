//go:build unix

package main

import (
	"fmt"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/hermes-cdp/hermes-cdp/host"
	"github.com/hermes-cdp/hermes-cdp/host/server/audit"
)

// A canary keeps its share and its rules over a restart and counts again from zero; then the daemon promotes it by
// itself, and says so in the history, to those who follow events, in its log, and in the record of operators' actions.
func TestACanaryIsPromotedByItselfAfterARestart(t *testing.T) {
	s := newShell(t)
	module := filepath.Join(fixtures, "dialog_only.wasm")
	start := []string{"--launch", "--set", "plugins.dialog-policy.config.policy=auto_dismiss"}
	d, _ := s.startDaemon(start...)
	s.refused(exitUsage, "plugin", "shadow", "dialog-policy", module, "--serve", "101%")
	s.refused(exitUsage, "plugin", "shadow", "dialog-policy", module, "--drop-on", "rain")
	s.ok("plugin", "shadow", "dialog-policy", module, "--config-json", "{}", "--drop-hook", "dialog-closed",
		"--serve", "100%", "--promote-after", "2", "--drop-on", "fault,fuel")
	if got := strings.TrimSpace(s.ok("eval", "confirm('well?')")); got != "true" {
		t.Errorf("the canary does not decide: %s", got)
	}
	kill(d)

	d, _ = s.startDaemon(start...)
	c := get[host.PluginShadow](s, "plugin", "shadow", "dialog-policy")
	if c.ServePercent != 100 || c.PromoteAfter != 2 || len(c.DropOn) != 2 || c.Answered != 0 {
		t.Errorf("after a restart the candidate is %+v", c)
	}
	events := s.start("events", "--follow")
	events.stderr.next(t, "following")
	for range 2 {
		s.ok("eval", "confirm('well?')")
	}
	if line := events.stdout.next(t, "plugin_changed"); !strings.Contains(line, "was promoted: it has answered 2 calls") {
		t.Errorf("the event is %q", line)
	}
	if g := s.history("dialog-policy")[0]; g.State != "serving" || g.Trigger != "canary" || !strings.Contains(g.Reason, "2 calls") {
		t.Errorf("the newest is %+v", g)
	}
	d.stderr.next(t, "trigger=canary")
	if list := get[[]audit.Entry](s, "audit", "--action", audit.PluginPromote); len(list) != 1 || list[0].Who != "daemon" || list[0].Via != "canary" ||
		!strings.Contains(fmt.Sprint(list[0].Details["reason"]), "2 calls") {
		t.Errorf("the record has %+v", list)
	}
	d.end(syscall.SIGTERM)
}
