package browser

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strings"
	"syscall"
	"time"
)

// A process that is killed removes nothing, so a temporary profile with its cookies would stay until the next start.
// Each profile has a watcher: this program once more, which does nothing until the pipe from its parent closes. The
// system closes the pipe however the parent ends. The watcher then does what the next start would do (see reap.go),
// under the same rules: only if it gets the lock of that profile, and only when no browser uses it any more. So it goes
// for what the parent's tasks have downloaded.

// watcherVariable is the environment variable that turns a program into a watcher. Its value is the directory of the
// profile.
const watcherVariable = "HERMES_CDP_PROFILE_WATCHER"

// watcherName is the name of a watcher in process lists.
const watcherName = "hermes-cdp-profile-watcher"

// watcherPatience bounds what a watcher does after the end of its parent. The next start does the rest.
const watcherPatience = 30 * time.Second

// init turns this process into a watcher if it was started as one, before main begins. An embedding program has nothing
// to call.
func init() {
	if dir := os.Getenv(watcherVariable); dir != "" {
		// They are for the parent, whose end arrives through the pipe.
		signal.Ignore(syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP)
		debug.FreeOSMemory() // it waits from here on, and has what the packages before it left while they began
		watchProfile(os.Stdin, dir)
		os.Exit(0)
	}
}

// watchProfile waits for the end of the parent, which says where the socket of its browser is, and removes the profile
// if the parent did not.
func watchProfile(parent io.Reader, dir string) {
	socket, _ := io.ReadAll(parent)
	if !strings.HasPrefix(filepath.Base(dir), profilePrefix) {
		return
	}
	for deadline := time.Now().Add(watcherPatience); time.Now().Before(deadline); time.Sleep(20 * time.Millisecond) {
		if _, err := os.Lstat(dir); err != nil {
			return
		}
		// The kernel closes the files of a process one by one, so the lock may outlive the pipe for a moment.
		left, ok := lockAbandoned(dir)
		left.socket = string(socket)
		if ok && left.reap() == nil {
			removeDownloads(filepath.Dir(dir))
			return
		}
	}
}

// removeDownloads removes what tasks of the parent have downloaded, as the next start would. Their locks, too, may
// outlive the pipe for a moment; those that stay belong to hosts that live.
func removeDownloads(in string) {
	for range 5 {
		locked := false
		for _, dir := range temporary(in, downloadsPrefix) {
			left, ok := lockAbandoned(dir)
			if !ok || left.reap() != nil {
				locked = true
			}
		}
		if !locked {
			return
		}
		time.Sleep(100 * time.Millisecond)
	}
}

// watcher is the parent's end of a watcher.
type watcher struct {
	cmd  *exec.Cmd // nil: there is none
	pipe *os.File
}

// startWatcher starts the watcher of a profile, detached, so that killing the parent's process group or closing its
// terminal does not affect it.
func startWatcher(dir string) (watcher, error) {
	self := "/proc/self/exe" // stays the same program if its file is replaced
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
	cmd.Dir = filepath.VolumeName(self) + string(filepath.Separator)
	cmd.Stdin = theirs
	cmd.SysProcAttr = detached()
	if err := cmd.Start(); err != nil {
		_ = pipe.Close()
		return watcher{}, fmt.Errorf("start %s: %w", self, err)
	}
	return watcher{cmd, pipe}, nil
}

// tell tells a watcher where the socket of the browser is.
func (w watcher) tell(socket string) {
	if w.cmd != nil {
		_, _ = w.pipe.WriteString(socket) // it can be told only while it lives
	}
}

// end ends a watcher that has nothing left to do.
func (w watcher) end() {
	if w.cmd == nil {
		return
	}
	_ = w.cmd.Process.Kill() // it holds no resources
	_ = w.cmd.Wait()
	_ = w.pipe.Close()
}
