//go:build unix

package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

const (
	keyEnd = "\x1b[F"
	keyUp  = "\x1b[A"
)

// picking starts the picker in a terminal of a kind.
func (s *shell) picking(kind string, args ...string) *terminal {
	s.t.Helper()
	cmd := s.command(append([]string{"tools"}, args...)...)
	cmd.Env = append(cmd.Env, "TERM="+kind, "LC_ALL=C.UTF-8", "COLORTERM=", "ACCESSIBLE=")
	cmd.Env = append(cmd.Env, s.env...)
	return s.terminal(cmd, 100, 76)
}

// configured is the configuration file; empty: there is none.
func (s *shell) configured() string {
	text, err := os.ReadFile(filepath.Join(s.dir, ".config", "hermes-cdp", "config.yaml"))
	if err != nil && !os.IsNotExist(err) {
		s.t.Fatal(err)
	}
	return string(text)
}

func TestToolsAreChosenInATerminal(t *testing.T) {
	s := newShell(t)
	m := s.picking("xterm-256color")
	m.sees("> [~] all")
	m.sees("  [x] browser ")
	m.sees("  [x] browser_click")
	for _, line := range m.lines() {
		if strings.Contains(line, "dialog-policy") {
			t.Errorf("a toolset without tools is offered: %s", line)
		}
	}
	m.types("j")
	m.sees("> [x] browser ")
	m.types(keyEnd)
	m.sees("> [x] browser_wait_for")
	m.sees("browser_wait_for, from browser: on, by browser")
	m.types(" ")
	m.sees("> [ ] browser_wait_for")
	m.sees("  [~] all")
	m.resize(40, 12) // it goes on with less room, and with more
	m.sees("> [ ] browser_wait_for")
	m.types(keyUp + "x")
	m.sees("> [ ] browser_vision")
	m.resize(120, 80)
	m.sees("  [~] browser ")
	m.types("\r")
	m.sees("disabled_tools: browser_vision, browser_wait_for")
	if exit := m.exits(); exit != exitOK {
		t.Errorf("the exit code is %d", exit)
	}
	if got := s.configured(); got != "disabled_tools: [browser_vision, browser_wait_for]\n" {
		t.Errorf("the file is %q", got)
	}

	// What was chosen is where the next choice begins.
	m = s.picking("xterm-256color")
	m.sees("  [~] browser ")
	m.types(keyEnd + " " + keyUp + " ")
	m.sees("> [x] browser_vision")
	m.types("jjj") // the cursor stays at the end
	m.sees("> [x] browser_wait_for")
	m.types("s")
	if exit := m.exits(); exit != exitOK || strings.TrimSpace(s.configured()) != "{}" {
		t.Errorf("exit %d, the file is %q", exit, s.configured())
	}
}

func TestAChoiceThatIsCancelledLeavesTheFileAlone(t *testing.T) {
	s := newShell(t)
	for name, key := range map[string]string{"q": "q", "escape": "\x1b", "control-c": "\x03", "no change": "s"} {
		m := s.picking("xterm-256color")
		m.sees("> [~] all")
		if name != "no change" {
			m.types(" ")
			m.sees("> [x] all")
		}
		m.types(key)
		m.sees("nothing was written")
		if exit := m.exits(); exit != exitOK || s.configured() != "" {
			t.Errorf("%s: exit %d, the file is %q", name, exit, s.configured())
		}
	}
}

var (
	colour   = regexp.MustCompile(`\x1b\[([0-9]+;)*([34][0-7]|[34]8;[0-9;]+|9[0-7]|10[0-7])(;[0-9]+)*m`)
	sequence = "\x1b"
)

func TestTerminalsWithoutColoursOrCursor(t *testing.T) {
	s := newShell(t)
	s.env = []string{"NO_COLOR=1"}
	m := s.picking("xterm-256color")
	m.sees("> [~] all")
	m.types("q")
	m.exits()
	if got := colour.FindString(m.everything()); got != "" {
		t.Errorf("with NO_COLOR there is %q", got)
	}
	for _, env := range [][]string{{"TERM=dumb"}, {"ACCESSIBLE=1"}, {"TERM=such-a-terminal-there-is-not"}} {
		s := newShell(t)
		s.env = env
		m := s.picking("xterm-256color")
		m.wrote("  1 [~] all")
		m.sees("numbers to switch")
		m.types("1\n")
		m.wrote("\n1 [x] all")
		m.types("s\n")
		m.wrote("toolsets: all\r\nwrote ") // the prompt may come after what is typed
		if exit := m.exits(); exit != exitOK || s.configured() != "toolsets: [all]\n" {
			t.Errorf("%v: exit %d, the file is %q", env, exit, s.configured())
		}
		if strings.Contains(m.everything(), sequence) {
			t.Errorf("%v: the terminal is steered: %q", env, m.everything())
		}
	}
}

func TestToolsAloneElsewhere(t *testing.T) {
	s := newShell(t)
	if got, want := s.ok("tools"), s.ok("tools", "list"); got != want {
		t.Errorf("without a terminal it is\n%s\nand not\n%s", got, want)
	}
	if list := get[toolsListJSON](s, "tools"); len(list.Tools) == 0 {
		t.Error("--json lists nothing")
	}
	m := s.picking("xterm-256color", "--set", "toolsets=[browser]")
	m.sees("hermes-cdp: toolsets is set by --set")
	if exit := m.exits(); exit != exitUsage {
		t.Errorf("a choice that would change nothing: exit %d", exit)
	}
	if code, text := s.refused(exitUsage, "tools", "lits"); code != "usage" || !strings.Contains(text, "did you mean list") {
		t.Errorf("%s: %s", code, text)
	}
}
