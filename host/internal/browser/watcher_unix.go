//go:build unix

package browser

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"time"
)

// A process that is killed removes nothing, so a temporary profile, cookies and all, would stay until the next start. Each has
// a watcher: this program once more, which does nothing until the pipe from its parent closes, as the kernel sees to however
// the parent ends. It then does what the next start would do, see reap.go, and by the same rules: only when it gets the lock
// of that one profile, and when no browser uses it any more.

// watcherVariable is the environment variable that makes a program a watcher. Its value is the directory of the profile.
const watcherVariable = "HERMES_CDP_PROFILE_WATCHER"

// watcherName is what lists of processes call a watcher.
const watcherName = "hermes-cdp-profile-watcher"

// watcherPatience bounds what a watcher does after the end of its parent; what is left then is the next start's.
const watcherPatience = 30 * time.Second

// init makes this process a watcher where it was started as one, before main begins. An embedding program has nothing to call.
func init() {
	if dir := os.Getenv(watcherVariable); dir != "" {
		signal.Ignore(syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP) // they are for the parent, whose end comes through the pipe
		watchProfile(os.Stdin, dir)
		os.Exit(0)
	}
}

// watchProfile waits for the end of the parent, and removes the profile if the parent did not.
func watchProfile(parent io.Reader, dir string) {
	_, _ = io.Copy(io.Discard, parent)
	if !strings.HasPrefix(filepath.Base(dir), profilePrefix) {
		return
	}
	for deadline := time.Now().Add(watcherPatience); time.Now().Before(deadline); time.Sleep(20 * time.Millisecond) {
		if _, err := os.Lstat(dir); err != nil {
			return
		}
		// The kernel closes the files of a process one by one: the lock may outlive the pipe for a moment.
		if left, ok := abandoned(dir); ok && left.reap() == nil {
			return
		}
	}
}

// watcher is the parent's end.
type watcher struct {
	cmd  *exec.Cmd // nil where there is none
	pipe *os.File
}

// watchOver starts the watcher of a profile, in a session of its own: what kills the parent's process group, or ends its
// terminal, does not reach it.
func watchOver(dir string) (watcher, error) {
	self := "/proc/self/exe" // which stays the same program when its file is replaced
	if runtime.GOOS != "linux" {
		var err error
		if self, err = os.Executable(); err != nil {
			return watcher{}, err
		}
	}
	theirs, pipe, err := os.Pipe()
	if err != nil {
		return watcher{}, err
	}
	defer func() { _ = theirs.Close() }()
	cmd := exec.Command(self)
	cmd.Args = []string{watcherName, dir}
	cmd.Env = append(environment(os.Environ(), nil, dir), watcherVariable+"="+dir, "GOMAXPROCS=1")
	cmd.Dir = "/"
	cmd.Stdin = theirs
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	if err := cmd.Start(); err != nil {
		_ = pipe.Close()
		return watcher{}, fmt.Errorf("start %s: %w", self, err)
	}
	return watcher{cmd, pipe}, nil
}

// end ends a watcher that has nothing left to do.
func (w watcher) end() {
	if w.cmd == nil {
		return
	}
	_ = w.cmd.Process.Kill() // it holds nothing
	_ = w.cmd.Wait()
	_ = w.pipe.Close()
}
