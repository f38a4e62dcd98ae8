package main

import (
	"errors"
	"io/fs"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/hermes-cdp/hermes-cdp/host/server/control"
)

// manager is what a service manager is to a daemon: a socket that it tells its state.
type manager struct {
	t    *testing.T
	conn *net.UnixConn
}

func newManager(s *shell) *manager {
	s.t.Helper()
	path := filepath.Join(s.dir, "notify")
	conn, err := net.ListenUnixgram("unixgram", &net.UnixAddr{Name: path, Net: "unixgram"})
	if err != nil {
		s.t.Fatal(err)
	}
	s.t.Cleanup(func() { _ = conn.Close() })
	s.env = append(s.env, "NOTIFY_SOCKET="+path)
	return &manager{t: s.t, conn: conn}
}

// hears waits for a state, whatever comes before it.
func (m *manager) hears(state string) {
	m.t.Helper()
	buffer := make([]byte, 4096)
	if err := m.conn.SetReadDeadline(time.Now().Add(patience)); err != nil {
		m.t.Fatal(err)
	}
	for {
		n, err := m.conn.Read(buffer)
		if err != nil {
			m.t.Fatalf("waiting for %s: %v", state, err)
		}
		if regexp.MustCompile(`(?s)^` + state + `$`).Match(buffer[:n]) {
			return
		}
	}
}

// startActivated starts a command that is given listening sockets by name, as a service manager does.
func (s *shell) startActivated(sockets map[string]*net.UnixListener, args ...string) *process {
	s.t.Helper()
	var names []string
	var files []*os.File
	for name, l := range sockets {
		file, err := l.File()
		if err != nil {
			s.t.Fatal(err)
		}
		defer file.Close()
		names, files = append(names, name), append(files, file)
	}
	// The process that is meant is only known once it is there.
	cmd := s.command(append([]string{"-c", `LISTEN_PID=$$ exec "$0" "$@"`, s.binary}, args...)...)
	shell, err := exec.LookPath("sh")
	if err != nil {
		s.t.Fatal(err)
	}
	cmd.Path = shell
	cmd.Args[0] = "sh"
	cmd.ExtraFiles = files
	cmd.Env = append(cmd.Env, "LISTEN_FDS="+string(rune('0'+len(files))), "LISTEN_FDNAMES="+strings.Join(names, ":"))
	return s.startCommand(cmd)
}

func listenUnix(t *testing.T, path string, mode fs.FileMode) *net.UnixListener {
	t.Helper()
	l, err := net.ListenUnix("unix", &net.UnixAddr{Name: path, Net: "unix"})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = l.Close() })
	if err := os.Chmod(path, mode); err != nil {
		t.Fatal(err)
	}
	return l
}

func TestAServiceManagerHearsHowADaemonIs(t *testing.T) {
	s := newShell(t)
	m := newManager(s)
	s.env = append(s.env, "WATCHDOG_USEC=60000000")
	p := s.start("run", "--set", "log.level=info")
	m.hears(`READY=1\nSTATUS=agents at ` + regexp.QuoteMeta(s.dir) + `.*`)
	m.hears(`WATCHDOG=1`)
	s.ok("reload")
	m.hears(`RELOADING=1\nMONOTONIC_USEC=[0-9]+`)
	m.hears(`READY=1\n.*`)
	if exit := p.end(syscall.SIGTERM); exit != exitOK {
		t.Errorf("it ended with %d", exit)
	}
	m.hears(`STOPPING=1`)
	if text := p.stdout.text(); !strings.Contains(text, "ready at") || strings.Contains(text, "http://") {
		t.Errorf("the log of a service has %s", text) // and no link that lets whoever reads it in
	}
}

// A daemon serves on the sockets of its manager, and leaves them to it when it ends.
func TestADaemonTakesTheSocketsOfItsManager(t *testing.T) {
	s := newShell(t)
	sockets := map[string]*net.UnixListener{
		"control": listenUnix(t, filepath.Join(s.dir, "given.sock"), 0o660), "agents": listenUnix(t, filepath.Join(s.dir, "given-agents.sock"), 0o666),
	}
	if os.Getuid() == 0 { // as SocketUser= does
		for _, name := range []string{"given.sock", "given-agents.sock"} {
			if err := os.Chown(filepath.Join(s.dir, name), 65534, 65534); err != nil {
				t.Fatal(err)
			}
		}
	}
	p := s.startActivated(sockets, "run")
	// Whoever asks before it is ready is answered then.
	client := control.NewSocketClient(filepath.Join(s.dir, "given.sock"))
	defer client.Close()
	if status, err := client.Status(t.Context()); err != nil || status.Daemon.PID != p.cmd.Process.Pid {
		t.Fatalf("the status is %+v, %v", status.Daemon, err)
	}
	p.stdout.next(t, "ready at "+filepath.Join(s.dir, "given.sock")+", for agents at "+filepath.Join(s.dir, "given-agents.sock"))
	s.ok("token", "new", "--name", "a", "--task", "*", "--toolset", "browser", "--set", "control.socket="+filepath.Join(s.dir, "given.sock"), "--output", filepath.Join(s.dir, "token"))
	if out := s.ok("tools", "list", "--token-file", filepath.Join(s.dir, "token"), "--set", "control.agents_socket="+filepath.Join(s.dir, "given-agents.sock")); !strings.Contains(out, "browser_click") {
		t.Errorf("the agent has %s", out)
	}
	if exit := p.end(syscall.SIGTERM); exit != exitOK {
		t.Errorf("it ended with %d", exit)
	}
	for _, path := range []string{"given.sock", "given-agents.sock"} {
		if _, err := os.Stat(filepath.Join(s.dir, path)); err != nil {
			t.Errorf("the socket of the manager: %v", err)
		}
	}
	if _, err := os.Stat(filepath.Join(s.dir, "hermes-cdp", "control.sock")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("it has made one of its own: %v", err)
	}
	again := s.startActivated(sockets, "run")
	again.stdout.next(t, "ready at")
	again.end(syscall.SIGTERM)
}

func TestSocketsThatAreWrongAreRefused(t *testing.T) {
	for name, want := range map[string]string{
		"contrl":  `known are control, agents, http, ui`,
		"control": "so that everybody could control the browsers",
		"http":    "only a loopback address is allowed",
	} {
		s := newShell(t)
		p := s.startActivated(map[string]*net.UnixListener{name: listenUnix(t, filepath.Join(s.dir, "given.sock"), 0o666)}, "run")
		if exit := p.wait(); exit != exitFailed || !strings.Contains(p.stderr.text(), want) {
			t.Errorf("%s: it ended with %d: %s", name, exit, p.stderr.text())
		}
	}
}
