//go:build unix

package main

import (
	"errors"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/creack/pty"
)

// terminal is a pseudo terminal with a command in it, and what is to be seen on it.
type terminal struct {
	t       *testing.T
	cmd     *exec.Cmd
	file    *os.File
	changed chan struct{}
	done    chan struct{}

	mu     sync.Mutex
	raw    strings.Builder
	screen [][]rune
	x, y   int
	width  int
	rest   string // of an escape sequence that is not whole
}

// terminal runs a command in a terminal of a size.
func (s *shell) terminal(cmd *exec.Cmd, width, height int) *terminal {
	s.t.Helper()
	file, err := pty.StartWithSize(cmd, &pty.Winsize{Cols: uint16(width), Rows: uint16(height)})
	if err != nil {
		s.t.Fatal(err)
	}
	term := &terminal{t: s.t, cmd: cmd, file: file, changed: make(chan struct{}, 1), done: make(chan struct{})}
	term.clear(width, height)
	go term.read()
	s.t.Cleanup(func() {
		if cmd.ProcessState == nil {
			_ = cmd.Process.Kill()
			_ = cmd.Wait()
		}
		_ = file.Close()
		<-term.done
	})
	return term
}

func (m *terminal) clear(width, height int) {
	m.screen = make([][]rune, height)
	m.width, m.x, m.y = width, 0, 0
	for i := range m.screen {
		m.screen[i] = []rune(strings.Repeat(" ", width))
	}
}

func (m *terminal) read() {
	defer close(m.done)
	buffer := make([]byte, 1<<16)
	for {
		n, err := m.file.Read(buffer)
		m.mu.Lock()
		m.raw.Write(buffer[:n])
		m.show(string(buffer[:n]))
		m.mu.Unlock()
		select {
		case m.changed <- struct{}{}:
		default:
		}
		if err != nil { // the command has ended
			return
		}
	}
}

// show does what a terminal does with text, and with the sequences that move its cursor and clear it.
func (m *terminal) show(text string) {
	text, m.rest = m.rest+text, ""
	for text != "" {
		if text[0] == '\x1b' {
			size := m.escape(text)
			if size == 0 {
				m.rest = text
				return
			}
			text = text[size:]
			continue
		}
		r := []rune(text)[0]
		text = text[len(string(r)):]
		switch {
		case r == '\r':
			m.x = 0
		case r == '\n':
			if m.y++; m.y == len(m.screen) {
				m.screen = append(m.screen[1:], []rune(strings.Repeat(" ", m.width)))
				m.y--
			}
		case r == '\b':
			m.x = max(0, m.x-1)
		case r >= ' ' && m.y < len(m.screen) && m.x < m.width:
			m.screen[m.y][m.x] = r
			m.x++
		}
	}
}

// escape does a sequence and gives its size; 0 where it is not whole.
func (m *terminal) escape(text string) int {
	if len(text) < 2 {
		return 0
	}
	switch text[1] {
	case ']': // ends with a bell, or with ESC \
		if i := strings.IndexAny(text, "\a\\"); i >= 0 {
			return i + 1
		}
		return 0
	case '[':
	case '(', ')':
		return min(3, len(text))
	default:
		return 2
	}
	end := strings.IndexFunc(text[2:], func(r rune) bool { return r >= '@' && r <= '~' })
	if end < 0 {
		return 0
	}
	arguments := strings.Split(text[2:2+end], ";")
	number := func(i, otherwise int) int {
		if i < len(arguments) {
			if n, err := strconv.Atoi(arguments[i]); err == nil {
				return n
			}
		}
		return otherwise
	}
	switch text[2+end] {
	case 'H':
		m.y, m.x = min(number(0, 1), len(m.screen))-1, min(number(1, 1), m.width)-1
	case 'J':
		m.clear(m.width, len(m.screen))
	case 'K':
		for x := m.x; x < m.width; x++ {
			m.screen[m.y][x] = ' '
		}
	}
	return 2 + end + 1
}

// lines are what is to be seen.
func (m *terminal) lines() []string {
	m.mu.Lock()
	defer m.mu.Unlock()
	out := make([]string, len(m.screen))
	for i, line := range m.screen {
		out[i] = strings.TrimRight(string(line), " ")
	}
	return out
}

// everything is all that was written to it, sequences included.
func (m *terminal) everything() string {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.raw.String()
}

// sees waits until a line begins with a text.
func (m *terminal) sees(text string) {
	m.t.Helper()
	m.awaits(func() bool {
		for _, line := range m.lines() {
			if strings.HasPrefix(line, text) {
				return true
			}
		}
		return false
	}, "no line begins with "+text)
}

// wrote waits until a text was written, wherever it is by now.
func (m *terminal) wrote(text string) {
	m.t.Helper()
	m.awaits(func() bool { return strings.Contains(m.everything(), text) }, "nothing has written "+text)
}

func (m *terminal) awaits(there func() bool, otherwise string) {
	m.t.Helper()
	limit := time.After(patience)
	for !there() {
		select {
		case <-m.changed:
		case <-m.done:
			if there() {
				return
			}
			m.t.Fatalf("the command has ended, and %s:\n%s", otherwise, strings.Join(m.lines(), "\n"))
		case <-limit:
			m.t.Fatalf("%s:\n%s", otherwise, strings.Join(m.lines(), "\n"))
		}
	}
}

func (m *terminal) types(text string) {
	m.t.Helper()
	if _, err := m.file.WriteString(text); err != nil {
		m.t.Fatal(err)
	}
}

func (m *terminal) resize(width, height int) {
	m.t.Helper()
	m.mu.Lock()
	m.clear(width, height)
	m.mu.Unlock()
	if err := pty.Setsize(m.file, &pty.Winsize{Cols: uint16(width), Rows: uint16(height)}); err != nil {
		m.t.Fatal(err)
	}
}

// exits waits for the end of the command and gives its exit code.
func (m *terminal) exits() int {
	m.t.Helper()
	timer := time.AfterFunc(patience, func() { _ = m.cmd.Process.Kill() })
	defer timer.Stop()
	var failed *exec.ExitError
	if err := m.cmd.Wait(); err != nil && !errors.As(err, &failed) {
		m.t.Fatal(err)
	}
	<-m.done
	return m.cmd.ProcessState.ExitCode()
}
