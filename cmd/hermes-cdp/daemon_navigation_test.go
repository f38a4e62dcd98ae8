//go:build unix

package main

import (
	"regexp"
	"strings"
	"syscall"
	"testing"
)

// Whoever looks at a guard's work from the shell sees what was denied or sent elsewhere, when, by whom and why.
func TestDeniedAndRewrittenNavigationsAreSeenFromTheShell(t *testing.T) {
	s := newShell(t)
	d, _ := s.startDaemon("--launch")
	s.ok("plugin", "add", "guard", allowlist, "--hooks", "navigate", "--config-json",
		`{"http": "upgrade", "allow": ["old.invalid"]}`)
	events := s.start("events", "--follow")
	events.stderr.next(t, "following")
	s.run("browser", "navigate", "http://other.invalid/")
	denied := events.stdout.next(t, "navigation_denied")
	if !regexp.MustCompile(`^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d navigation_denied at .* "http://other.invalid/" by plugin guard .*: .+`).MatchString(denied) {
		t.Errorf("the event of a denial is %q", denied)
	}
	s.run("browser", "navigate", "http://old.invalid/") // there is no such host
	rewritten := events.stdout.next(t, "navigation_rewritten")
	if !strings.Contains(rewritten, `"http://old.invalid/" to "https://old.invalid/"`) || !strings.Contains(rewritten, "by plugin guard") {
		t.Errorf("the event of a rewrite is %q", rewritten)
	}
	if out := s.ok("snapshot"); !strings.Contains(out, `denied at `) || !strings.Contains(out, `"http://other.invalid/" by plugin guard`) {
		t.Errorf("the snapshot is\n%s", out)
	}
	if out := s.ok("status"); !strings.Contains(out, "1 denied, 1 rewritten") {
		t.Errorf("the status is\n%s", out)
	}
	d.end(syscall.SIGTERM)
}
