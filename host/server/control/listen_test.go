//go:build unix

package control

import (
	"errors"
	"io/fs"
	"net"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/hermes-cdp/hermes-cdp/host/fault"
)

func TestASocketIsItsOwnersAlone(t *testing.T) {
	path := filepath.Join(shortDir(t), "made", "c.sock")
	listener, err := ListenSocket(path)
	if err != nil {
		t.Fatal(err)
	}
	for file, want := range map[string]fs.FileMode{path: 0o600 | fs.ModeSocket, filepath.Dir(path): 0o700 | fs.ModeDir} {
		if info, err := os.Stat(file); err != nil || info.Mode() != want {
			t.Errorf("%s has the mode %v, %v; want %v", file, info.Mode(), err, want)
		}
	}
	if _, err := ListenSocket(path); !errors.Is(err, fault.ErrDaemonRunning) {
		t.Errorf("a second daemon: %v", err)
	}
	if err := listener.Close(); err != nil {
		t.Error(err)
	}
	if _, err := os.Stat(path); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the socket is left behind: %v", err)
	}
	if left, _ := filepath.Glob(filepath.Join(filepath.Dir(path), ".new-*")); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
	if err := listener.Close(); !errors.Is(err, net.ErrClosed) {
		t.Errorf("the second Close: %v", err)
	}
}

func TestTheAgentsSocketIsForThoseWhoAreNamed(t *testing.T) {
	for users, want := range map[Users]struct{ socket, directory fs.FileMode }{
		"": {0o600, 0o700}, Owner: {0o600, 0o700}, Group: {0o660, 0o710}, Everybody: {0o666, 0o711},
	} {
		dir := shortDir(t)
		if err := os.Chmod(dir, want.directory); err != nil {
			t.Fatal(err)
		}
		path := filepath.Join(dir, "a.sock")
		listener, err := ListenAgentsSocket(path, users)
		if err != nil {
			t.Errorf("%q: %v", users, err)
			continue
		}
		if info, err := os.Stat(path); err != nil || info.Mode() != want.socket|fs.ModeSocket {
			t.Errorf("%q: the mode is %v, %v", users, info.Mode(), err)
		}
		if err := listener.Close(); err != nil {
			t.Error(err)
		}
		if want.directory == 0o700 {
			continue
		}
		if err := os.Chmod(dir, 0o700); err != nil {
			t.Fatal(err)
		}
		if _, err := ListenAgentsSocket(path, users); err == nil || !strings.Contains(err.Error(), "control.agents_access") {
			t.Errorf("%q in a directory that they cannot enter: %v", users, err)
		}
	}
}

func TestTheSocketOfADeadDaemonIsReplaced(t *testing.T) {
	path := filepath.Join(shortDir(t), "c.sock")
	dead, err := net.ListenUnix("unix", &net.UnixAddr{Name: path, Net: "unix"})
	if err != nil {
		t.Fatal(err)
	}
	dead.SetUnlinkOnClose(false)
	if err := dead.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(path); err != nil {
		t.Fatal("the dead socket is not there")
	}
	listener, err := ListenSocket(path)
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	conn, err := net.Dial("unix", path)
	if err != nil {
		t.Fatal(err)
	}
	_ = conn.Close()
}

func TestASocketInADirectoryOfOthersIsRefused(t *testing.T) {
	dir := shortDir(t)
	if err := os.Chmod(dir, 0o777); err != nil {
		t.Fatal(err)
	}
	if _, err := ListenSocket(filepath.Join(dir, "c.sock")); err == nil || !strings.Contains(err.Error(), "others can write") {
		t.Errorf("the error is %v", err)
	}
	if _, err := ListenSocket(filepath.Join(shortDir(t), strings.Repeat("x", 100))); err == nil || !strings.Contains(err.Error(), "bytes") {
		t.Errorf("a path that is too long: %v", err)
	}
}

func TestWithoutADaemonTheErrorSaysHowToStartOne(t *testing.T) {
	client := NewSocketClient(filepath.Join(shortDir(t), "c.sock"))
	_, err := client.Status(t.Context())
	if !errors.Is(err, fault.ErrNoDaemon) || !strings.Contains(err.Error(), "hermes-cdp run") {
		t.Errorf("the error is %v", err)
	}
}

func TestASocketThatIsClosedToThisUserIsForbidden(t *testing.T) {
	client := NewSocketClient("/run/a.sock")
	err := client.Lost(t.Context(), &url.Error{Op: "Get", URL: "http://hermes-cdp", Err: &net.OpError{Op: "dial", Net: "unix", Err: os.NewSyscallError("connect", syscall.EACCES)}})
	if !errors.Is(err, fault.ErrForbidden) || errors.Is(err, fault.ErrNoDaemon) || !strings.Contains(err.Error(), "cannot open /run/a.sock") {
		t.Errorf("the error is %v", err)
	}
}
