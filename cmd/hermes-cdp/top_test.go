//go:build unix

package main

import (
	"strings"
	"testing"

	"github.com/hermes-cdp/hermes-cdp/cmd/hermes-cdp/internal/top"
	"github.com/hermes-cdp/hermes-cdp/host/hosttest"
)

func TestTopShowsWhatWaits(t *testing.T) {
	s := newShell(t)
	s.env = append(s.env, "HERMES_CDP_BROWSER_EXECUTABLE="+hosttest.Executable(t))
	s.startDaemon()
	s.ok("browser", "navigate", shopSite(t), "--task", "calm")
	s.ok("browser", "navigate", shopSite(t), "--task", "waits")
	s.run("browser", "click", "--selector", "#buy", "--task", "waits") // which opens a dialog
	v := get[top.View](s, "top")
	if len(v.Tasks) != 2 || v.Tasks[0].Task != "waits" || v.Tasks[0].Dialogs != 1 || v.Tasks[0].State != "waits for an answer" || v.Tasks[1].State != "idle" || v.Tasks[1].Agent == "" {
		t.Errorf("the tasks are %+v", v.Tasks)
	}
	if len(v.Browser) != 1 || v.Browser[0].Memory == 0 || len(v.Plugins) != 3 {
		t.Errorf("the browsers are %+v, the plugins %+v", v.Browser, v.Plugins)
	}
	if out := s.ok("top"); !strings.Contains(out, "tasks: 2, waiting for a person: 1") || strings.Contains(out, "\x1b") {
		t.Errorf("without a terminal it prints %s", out)
	}

	cmd := s.command("top", "--every", "100ms")
	cmd.Env = append(cmd.Env, "TERM=xterm-256color", "LC_ALL=C.UTF-8", "COLORTERM=", "ACCESSIBLE=")
	m := s.terminal(cmd, 140, 30)
	shows := func(text string) {
		t.Helper()
		m.awaits(func() bool { return strings.Contains(strings.Join(m.lines(), "\n"), text) }, "nothing shows "+text)
	}
	shows("tasks: 2, waiting for a person: 1")
	shows("waits  hermes-cli  waits for an answer")
	m.sees("dialog-policy")
	s.ok("browser", "dialog", "accept", "--task", "waits")
	shows("tasks: 2, waiting for a person: 0") // it follows
	m.types("q")
	if exit := m.exits(); exit != exitOK {
		t.Errorf("it exits with %d", exit)
	}
}
