package upstream

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"maps"
	"os"
	"os/exec"
	"slices"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/hermes-cdp/hermes-cdp/host/internal/procgroup"
)

// drainTime is how long to wait for the end of stderr.
const drainTime = 100 * time.Millisecond

// process is the transport to a server that was started. Everything that the server started ends with it. Ctrl-C in a
// terminal reaches only this process, which shuts the server down in order.
type process struct {
	cmd    *exec.Cmd
	grace  time.Duration
	stdin  *os.File
	stdout *os.File
	stderr *os.File
	tail   *tail

	closeStdin sync.Once
	group      *procgroup.Group // nil until it is started
	byItself   bool             // it ended without being told to
	exited     chan struct{}    // closed when it and its group have ended
	drained    chan struct{}    // closed when stderr has been read to its end
}

func newProcess(s Server, env map[string]string, hide hider, grace time.Duration, log *slog.Logger) *process {
	cmd := exec.Command(s.Command, s.Args...)
	cmd.Dir, cmd.Env = s.Dir, environ(env)
	return &process{
		cmd: cmd, grace: grace, exited: make(chan struct{}), drained: make(chan struct{}),
		tail: &tail{line: func(line string) { log.Debug("the MCP server wrote", "line", hide.text(line)) }},
	}
}

// inherited are the variables of this process that a program may need. All others may be somebody else's secrets.
var inherited = []string{
	"PATH", "HOME", "USER", "LOGNAME", "SHELL", "TERM", "LANG", "LANGUAGE", "LC_ALL", "LC_CTYPE", "TZ", "TMPDIR", "TMP", "TEMP",
	"XDG_CACHE_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME", "XDG_RUNTIME_DIR",
	"HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY", "http_proxy", "https_proxy", "no_proxy", "SSL_CERT_FILE", "SSL_CERT_DIR", "NODE_EXTRA_CA_CERTS",
	"APPDATA", "LOCALAPPDATA", "PROGRAMDATA", "PROGRAMFILES", "PATHEXT", "COMSPEC", "SYSTEMROOT", "SYSTEMDRIVE", "USERPROFILE", "USERNAME",
}

func environ(own map[string]string) []string {
	out := []string{}
	for _, name := range inherited {
		if value, there := os.LookupEnv(name); there {
			out = append(out, name+"="+value)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(own)) { // the last of two with the same name wins
		out = append(out, name+"="+own[name])
	}
	return out
}

// Connect implements [mcp.Transport]: it starts the program.
func (p *process) Connect(ctx context.Context) (mcp.Connection, error) {
	if err := p.start(); err != nil {
		return nil, err
	}
	return (&mcp.IOTransport{Reader: reading{p.stdout}, Writer: p}).Connect(ctx)
}

// reading is the server's output, which is read to its end even after the connection is closed.
type reading struct{ io.Reader }

// Close implements [io.Closer].
func (reading) Close() error { return nil }

// Write writes to the server's standard input.
func (p *process) Write(b []byte) (int, error) { return p.stdin.Write(b) }

// Close asks the server to end but does not wait for it: the SDK calls it with a lock held.
func (p *process) Close() error {
	p.closeStdin.Do(func() { _ = p.stdin.Close() })
	return nil
}

func (p *process) start() error {
	var theirs [3]*os.File
	var err error
	if theirs[0], p.stdin, err = os.Pipe(); err == nil {
		if p.stdout, theirs[1], err = os.Pipe(); err == nil {
			p.stderr, theirs[2], err = os.Pipe()
		}
	}
	if err == nil {
		p.cmd.Stdin, p.cmd.Stdout, p.cmd.Stderr = theirs[0], theirs[1], theirs[2]
		p.group, err = procgroup.Start(p.cmd)
	}
	for _, file := range theirs {
		_ = file.Close() // closing a nil file returns an error that does not matter
	}
	if err != nil {
		for _, file := range []*os.File{p.stdin, p.stdout, p.stderr} {
			_ = file.Close()
		}
		return fmt.Errorf("it cannot be started: %w", err)
	}
	go func() {
		defer close(p.drained)
		_, _ = io.Copy(p.tail, p.stderr)
	}()
	go func() {
		defer close(p.exited)
		p.group.Wait()
	}()
	return nil
}

// end shuts the server down as the protocol specifies: its input is closed, then it is terminated, then killed with
// everything that it started. It returns when nothing of it is left.
//
// https://modelcontextprotocol.io/specification/2025-11-25/basic/lifecycle#shutdown
func (p *process) end(lost bool) {
	if p.group == nil {
		return
	}
	p.byItself = lost && p.endsWithin(p.grace) // its output ends a moment before the process
	_ = p.Close()
	for _, harder := range []func(){p.group.Terminate, p.group.Kill} {
		if p.endsWithin(p.grace) {
			break
		}
		harder()
	}
	<-p.exited
	_ = p.stdout.Close() // a process that left the group may hold the other end
	select {
	case <-p.drained:
	case <-time.After(drainTime):
	}
	_ = p.stderr.Close()
	<-p.drained
}

func (p *process) endsWithin(d time.Duration) bool {
	select {
	case <-p.exited:
		return true
	case <-time.After(d):
		return false
	}
}

// why says how the server ended by itself; nil if it did not. It is called after end.
func (p *process) why() error {
	if !p.byItself {
		return nil
	}
	text := "it ended: " + p.cmd.ProcessState.String()
	if last := p.tail.lastLine(); last != "" {
		text += "; its last output: " + last
	}
	return errors.New(text)
}
