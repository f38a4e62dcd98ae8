package browser

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/hermes-cdp/hermes-cdp/host/internal/procgroup"
)

// watch opens a handle on each process, which tells when it ends although it is not our child.
func watch(t *testing.T, pids []int) (awaitEnd func()) {
	t.Helper()
	fds := map[int]int{}
	for _, pid := range pids {
		fd, err := unix.PidfdOpen(pid, 0)
		if err == unix.ESRCH {
			continue // short-lived helpers come and go
		}
		if err != nil {
			t.Fatal(err)
		}
		fds[pid] = fd
	}
	return func() {
		for pid, fd := range fds {
			for {
				n, err := unix.Poll([]unix.PollFd{{Fd: int32(fd), Events: unix.POLLIN}}, int(patience.Milliseconds()))
				if err == unix.EINTR {
					continue
				}
				if n != 1 {
					t.Errorf("process %d lives on: %v", pid, err)
				}
				break
			}
			_ = unix.Close(fd)
		}
	}
}

// killedParent launches a browser from another process, and gives a function that kills that process and its group by
// SIGKILL.
func killedParent(t *testing.T, transport Transport) (pid int, dir string, kill func()) {
	t.Helper()
	parent := exec.Command(os.Args[0])
	parent.Env = append(os.Environ(), helperEnv+"="+string(transport))
	parent.Stderr = os.Stderr
	out, err := parent.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	group, err := procgroup.Start(parent)
	if err != nil {
		t.Fatal(err)
	}
	line, _ := bufio.NewReader(out).ReadString('\n')
	if _, err := fmt.Sscan(line, &pid, &dir); err != nil {
		t.Fatalf("the parent says %q: %v", line, err)
	}
	return pid, dir, func() {
		group.Kill()
		group.Wait()
	}
}

// watchersOf gives the living watchers of a profile.
func watchersOf(dir string) []int {
	return processes(func(folder string) bool {
		line, err := os.ReadFile(folder + "/cmdline")
		return err == nil && string(line) == watcherName+"\x00"+dir+"\x00"
	})
}

// withoutWatcher kills the watcher of a profile, and waits for its end.
func withoutWatcher(t *testing.T, dir string) {
	t.Helper()
	watchers := watchersOf(dir)
	if len(watchers) != 1 {
		t.Fatalf("the profile has the watchers %v, want one", watchers)
	}
	awaitEnd := watch(t, watchers)
	killAll(watchers)
	awaitEnd()
}

// TestTheProfileOfAKilledParentIsRemoved: the browser and the parent are real ones, and other profiles stay.
func TestTheProfileOfAKilledParentIsRemoved(t *testing.T) {
	for _, transport := range bothTransports {
		t.Run(string(transport), func(t *testing.T) {
			const nobodys = profilePrefix + "of-nobody" // without a lock no one can tell whose it is
			inEmptyDirectory(t, nobodys)
			alive := launch(t, LaunchOptions{}) // of this process
			otherPid, other, killOther := killedParent(t, TransportPipe)
			awaitOther := watch(t, append(survivors(otherPid, other), watchersOf(other)...))
			defer func() { // before the directory of both is removed
				killOther()
				awaitOther()
			}()
			stranger := filepath.Join(os.TempDir(), nobodys)
			if err := os.Mkdir(stranger, 0o700); err != nil {
				t.Fatal(err)
			}
			pid, dir, kill := killedParent(t, transport)
			watchers := watchersOf(dir)
			if len(watchers) != 1 {
				t.Fatalf("the profile has the watchers %v, want one", watchers)
			}
			awaitEnd := watch(t, append(survivors(pid, dir), watchers...))
			kill()
			awaitEnd()
			if _, err := os.Stat(dir); !errors.Is(err, os.ErrNotExist) {
				t.Errorf("the profile is left: %v", err)
			}
			for _, kept := range []string{alive.UserDataDir(), other, stranger} {
				if _, err := os.Stat(kept); err != nil {
					t.Errorf("another profile is gone: %v", err)
				}
			}
			if _, err := connect(t, alive).Send("", "Browser.getVersion", nil); err != nil || len(usersOf(other)) == 0 {
				t.Errorf("another browser is gone: %v", err)
			}
			mustClose(t, alive)
			if left := watchersOf(alive.UserDataDir()); len(left) > 0 {
				t.Errorf("the watchers %v outlive their browser", left)
			}
		})
	}
}

// TestABrowserEndsWhenItsParentIsKilled proves that nothing is needed for it but the pipe.
func TestABrowserEndsWhenItsParentIsKilled(t *testing.T) {
	pid, dir, kill := killedParent(t, TransportPipe)
	t.Cleanup(func() { _ = os.RemoveAll(dir) }) // no one is left to do it
	withoutWatcher(t, dir)
	processes := survivors(pid, dir)
	if len(processes) < 2 {
		t.Fatalf("%v are the browser's processes, want several", processes)
	}
	awaitEnd := watch(t, processes)
	kill()
	awaitEnd()
	if left := survivors(pid, dir); len(left) > 0 {
		t.Errorf("processes %v are left", left)
	}
}

// TestTheNextStartReapsWhatAKilledParentLeft: a browser on a port does not notice the end of its parent.
func TestTheNextStartReapsWhatAKilledParentLeft(t *testing.T) {
	for _, transport := range []Transport{TransportPort, TransportPipe} {
		t.Run(string(transport), func(t *testing.T) {
			pid, dir, kill := killedParent(t, transport)
			withoutWatcher(t, dir) // as where a whole container, or a service's group of processes, was killed
			processes := survivors(pid, dir)
			reapAbandoned(slog.New(slog.DiscardHandler))
			if _, err := os.Stat(dir); err != nil || len(survivors(pid, dir)) == 0 {
				t.Fatalf("a browser whose owner lives was reaped: %v", err)
			}
			awaitEnd := watch(t, processes)
			kill()
			mustClose(t, launch(t, LaunchOptions{}))
			awaitEnd()
			if left := survivors(pid, dir); len(left) > 0 {
				t.Errorf("processes %v are left", left)
			}
			if _, err := os.Stat(dir); !errors.Is(err, os.ErrNotExist) {
				t.Errorf("the profile is left: %v", err)
			}
		})
	}
}

func TestCloseEndsAStoppedBrowser(t *testing.T) {
	p := launch(t, LaunchOptions{})
	for _, pid := range p.Survivors() {
		_ = unix.Kill(pid, unix.SIGSTOP)
	}
	mustClose(t, p)
}

func TestLaunchLeaksNoFileDescriptor(t *testing.T) {
	open := func() int {
		entries, err := os.ReadDir("/proc/self/fd")
		if err != nil {
			t.Fatal(err)
		}
		return len(entries)
	}
	script := executable(t, "browser", `printf '{"id":1,"result":{}}\0' >&4; read line <&3`)
	run := func() {
		p, err := Launch(t.Context(), LaunchOptions{Executable: script})
		if err != nil {
			t.Fatal(err)
		}
		mustClose(t, p)
		if _, err := Launch(t.Context(), LaunchOptions{Executable: executable(t, "bad", "exit 1")}); err == nil {
			t.Fatal("no error")
		}
	}
	run() // the poller and pidfd support open theirs on first use
	before := open()
	for range 3 {
		run()
	}
	if after := open(); after > before {
		t.Errorf("%d file descriptors became %d", before, after)
	}
}

// The executable may be a script that starts others.
func TestAnExecutableThatDoesNotSayItsVersionLeavesNothing(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	fifo := filepath.Join(t.TempDir(), "pid")
	if err := unix.Mkfifo(fifo, 0o600); err != nil {
		t.Fatal(err)
	}
	path := executable(t, "browser", `sh -c 'echo $$ >`+fifo+`; exec sleep 1000' & exec sleep 1000`)
	version := make(chan string, 1)
	go func() { version <- majorVersion(ctx, path, patience) }()
	line, err := os.ReadFile(fifo)
	if err != nil {
		t.Fatal(err)
	}
	pid, err := strconv.Atoi(string(bytes.TrimSpace(line)))
	if err != nil {
		t.Fatal(err)
	}
	awaitEnd := watch(t, []int{pid})
	cancel()
	if got := within(t, version, "the version"); got != "" {
		t.Errorf("the version is %q", got)
	}
	awaitEnd()
}
