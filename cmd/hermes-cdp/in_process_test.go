//go:build unix

package main

import (
	"regexp"
	"strings"
	"syscall"
	"testing"

	"github.com/hermes-cdp/hermes-cdp/host"
)

// startBrowser runs a browser that belongs to nobody and gives its address.
func (s *shell) startBrowser() (p *process, address string) {
	s.t.Helper()
	path, err := host.FindBrowser("")
	if err != nil {
		s.t.Fatal(err)
	}
	other := *s
	other.binary = path
	p = other.start("--headless", "--no-sandbox", "--disable-gpu", "--remote-debugging-port=0", "--user-data-dir="+s.dir+"/profile", "about:blank")
	line := p.stderr.next(s.t, "DevTools listening on ")
	return p, regexp.MustCompile(`127\.0\.0\.1:\d+`).FindString(line)
}

func TestWithoutADaemonACommandWorksOnTheBrowserAtAnAddress(t *testing.T) {
	s := newShell(t)
	browser, address := s.startBrowser()
	if got := strings.TrimSpace(s.ok("eval", "6 * 7", "--connect", address)); got != "42" {
		t.Errorf("eval gives %s", got)
	}
	if snapshot := get[host.Snapshot](s, "snapshot", "--connect", address); snapshot.Page() == nil || snapshot.Page().URL != "about:blank" {
		t.Errorf("the snapshot is %+v", snapshot)
	}
	if out := s.ok("frames", "--connect", address); !strings.Contains(out, `"about:blank"`) {
		t.Errorf("the frames are %s", out)
	}
	if code, _ := s.refused(exitFailed, "eval", "throw new Error('no')", "--connect", address); code != "js_exception" {
		t.Errorf("an exception: %s", code)
	}
	if code, _ := s.refused(exitBlocked, "eval", "confirm('held')", "--connect", address, "--set", "browser.dialog_policy=must_respond"); code != "blocked_by_dialog" {
		t.Errorf("a dialog: %s", code)
	}
	if got := strings.TrimSpace(s.ok("eval", "'usable'", "--connect", address)); got != `"usable"` {
		t.Errorf("after a dialog eval gives %s", got)
	}
	if code, _ := s.refused(exitFailed, "eval", "1", "--connect", "127.0.0.1:1"); code != "task_failed" {
		t.Errorf("no browser: %s", code)
	}
	browser.end(syscall.SIGTERM)
}
