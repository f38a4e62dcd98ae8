//go:build unix

package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/hermes-cdp/hermes-cdp/cmd/hermes-cdp/internal/cli"
	"github.com/hermes-cdp/hermes-cdp/cmd/hermes-cdp/internal/daemon"
	"github.com/hermes-cdp/hermes-cdp/host"
	"github.com/hermes-cdp/hermes-cdp/host/server/control"
)

// patience is how long a test waits for what must come; it is never reached when the code is right.
const patience = 60 * time.Second

// shell is where commands of the binary run: a home of its own, and a mark that every process below it inherits.
type shell struct {
	t      *testing.T
	binary string
	dir    string
	mark   string
	env    []string // beside what every command has
}

func newShell(t *testing.T) *shell {
	t.Helper()
	dir, err := os.MkdirTemp("", "cli") // the path of a socket is short
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	return &shell{t: t, binary: builtBinary(t), dir: dir, mark: "HERMES_TEST_MARK=" + filepath.Base(dir)}
}

func (s *shell) command(args ...string) *exec.Cmd {
	cmd := exec.CommandContext(s.t.Context(), s.binary, args...)
	cmd.Env = append(os.Environ(), "HOME="+s.dir, "TMPDIR="+s.dir, "XDG_RUNTIME_DIR="+s.dir, "XDG_CONFIG_HOME=", "XDG_CACHE_HOME=", "XDG_STATE_HOME=",
		"HERMES_CDP_BROWSER_ACTION_WAIT_S=0", // a page on a busy machine is not stuck
		"HERMES_CDP_BROWSER_ENVIRONMENT=HERMES_TEST_MARK", s.mark)
	cmd.Env = append(cmd.Env, s.env...)
	return cmd
}

// run runs a command to its end.
func (s *shell) run(args ...string) (stdout, stderr string, exit int) {
	s.t.Helper()
	cmd := s.command(args...)
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	var failed *exec.ExitError
	if err := cmd.Run(); err != nil && !errors.As(err, &failed) {
		s.t.Fatal(err)
	}
	return out.String(), errs.String(), cmd.ProcessState.ExitCode()
}

// ok runs a command that must work and gives its output.
func (s *shell) ok(args ...string) string {
	s.t.Helper()
	out, errs, exit := s.run(args...)
	if exit != exitOK || out == "" {
		s.t.Fatalf("%v: exit %d, stdout %q, stderr %s", args, exit, out, errs)
	}
	return out
}

// get is ok with --json, and decodes the output.
func get[T any](s *shell, args ...string) T {
	s.t.Helper()
	var v T
	out := s.ok(append(args, "--json")...)
	if err := json.Unmarshal([]byte(out), &v); err != nil {
		s.t.Fatalf("%v: %v: %s", args, err, out)
	}
	return v
}

// status asks the daemon, whose exit code must say whether all is as it is configured.
func (s *shell) status() control.Status {
	s.t.Helper()
	var v control.Status
	out, errs, exit := s.run("status", "--json")
	if err := json.Unmarshal([]byte(out), &v); err != nil {
		s.t.Fatalf("exit %d, %v: %s %s", exit, err, out, errs)
	}
	want := exitOK
	if c := v.Daemon.Config; c.Error != "" || len(c.PluginProblems) > 0 || slices.ContainsFunc(v.Plugins, func(p host.PluginInfo) bool { return p.Outage != "" }) {
		want = exitDegraded
	}
	if exit != want || (exit == exitOK) != (errs == "") {
		s.t.Errorf("status ends with %d, want %d, and says %s", exit, want, errs)
	}
	return v
}

// refused runs a command that must fail, and gives the error that it prints as JSON.
func (s *shell) refused(exit int, args ...string) (code, message string) {
	s.t.Helper()
	_, errs, got := s.run(append(args, "--json")...)
	lines := strings.Split(strings.TrimSpace(errs), "\n")
	var e cli.ErrorJSON
	if err := json.Unmarshal([]byte(lines[len(lines)-1]), &e); err != nil || got != exit || e.Error == nil {
		s.t.Fatalf("%v: exit %d, want %d; %v: %s", args, got, exit, err, errs)
	}
	return string(e.Error.Code), e.Error.Message
}

// process is a command that runs beside the test, with its output by lines.
type process struct {
	t      *testing.T
	cmd    *exec.Cmd
	stdout *lineReader
	stderr *lineReader
}

func (s *shell) start(args ...string) *process {
	s.t.Helper()
	return s.startIn("", args...)
}

// startIn starts a command in a directory; empty: in that of the test.
func (s *shell) startIn(dir string, args ...string) *process {
	s.t.Helper()
	cmd := s.command(args...)
	cmd.Dir = dir
	return s.startCommand(cmd)
}

func (s *shell) startCommand(cmd *exec.Cmd) *process {
	s.t.Helper()
	p := &process{t: s.t, cmd: cmd, stdout: newLineReader(), stderr: newLineReader()}
	cmd.Stdout, cmd.Stderr = p.stdout.w, p.stderr.w
	if err := cmd.Start(); err != nil {
		s.t.Fatal(err)
	}
	s.t.Cleanup(func() {
		if cmd.ProcessState == nil {
			_ = cmd.Process.Kill()
			_ = cmd.Wait()
		}
		p.stdout.close()
		p.stderr.close()
		if s.t.Failed() {
			s.t.Logf("%v wrote:\n%s\n%s", cmd.Args, p.stdout.text(), p.stderr.text())
		}
	})
	return p
}

// end sends a signal and gives the exit code.
func (p *process) end(signal os.Signal) int {
	p.t.Helper()
	if err := p.cmd.Process.Signal(signal); err != nil {
		p.t.Fatal(err)
	}
	return p.wait()
}

func (p *process) wait() int {
	p.t.Helper()
	timer := time.AfterFunc(patience, func() { _ = p.cmd.Process.Kill() })
	defer timer.Stop()
	var failed *exec.ExitError
	if err := p.cmd.Wait(); err != nil && !errors.As(err, &failed) {
		p.t.Fatal(err)
	}
	return p.cmd.ProcessState.ExitCode()
}

// lineReader keeps the lines that a process writes, for whoever waits for one.
type lineReader struct {
	w     *io.PipeWriter
	lines chan string
	done  chan struct{}
	mu    sync.Mutex
	all   []string
}

func newLineReader() *lineReader {
	r, w := io.Pipe()
	l := &lineReader{w: w, lines: make(chan string, 10_000), done: make(chan struct{})}
	go func() {
		defer close(l.done)
		scanner := bufio.NewScanner(r)
		scanner.Buffer(nil, 16<<20)
		for scanner.Scan() {
			l.mu.Lock()
			l.all = append(l.all, scanner.Text())
			l.mu.Unlock()
			l.lines <- scanner.Text()
		}
	}()
	return l
}

func (l *lineReader) close() {
	_ = l.w.Close()
	<-l.done
}

func (l *lineReader) text() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return strings.Join(l.all, "\n")
}

// next gives the next line that holds a text.
func (l *lineReader) next(t *testing.T, text string) string {
	t.Helper()
	limit := time.After(patience)
	for {
		select {
		case line := <-l.lines:
			if strings.Contains(line, text) {
				return line
			}
		case <-limit:
			t.Fatalf("no line with %q came; there were:\n%s", text, l.text())
		}
	}
}

// startDaemon runs the daemon until the test ends; it then must end well and leave no process.
func (s *shell) startDaemon(args ...string) (*process, daemon.Endpoints) {
	s.t.Helper()
	p := s.start(append([]string{"run", "--json"}, args...)...)
	var at daemon.Endpoints
	if err := json.Unmarshal([]byte(p.stdout.next(s.t, "socket")), &at); err != nil {
		s.t.Fatal(err)
	}
	return p, at
}

// leavesNothing ends a daemon by a signal and looks for what is left of it.
func (s *shell) leavesNothing(p *process, at daemon.Endpoints, signal syscall.Signal) {
	s.t.Helper()
	if exit := p.end(signal); exit != exitOK {
		s.t.Errorf("the daemon ended with %d", exit)
	}
	if _, err := os.Stat(at.Socket); !errors.Is(err, os.ErrNotExist) {
		s.t.Errorf("the socket is left: %v", err)
	}
	if left := s.processes(); len(left) > 0 {
		s.t.Errorf("processes are left: %q", left)
	}
}

// processes are the command lines of the processes that have the mark, where /proc tells.
func (s *shell) processes() []string {
	files, _ := filepath.Glob("/proc/[0-9]*/environ")
	var list []string
	for _, file := range files {
		environ, err := os.ReadFile(file)
		if err != nil || !strings.Contains(string(environ), s.mark) {
			continue
		}
		line, _ := os.ReadFile(filepath.Join(filepath.Dir(file), "cmdline"))
		list = append(list, strings.ReplaceAll(string(line), "\x00", " "))
	}
	return list
}
