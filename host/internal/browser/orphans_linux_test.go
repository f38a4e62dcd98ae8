package browser

import (
	"bufio"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"os/exec"
	"testing"

	"golang.org/x/sys/unix"
)

// watch opens a handle on each process, through which its end can be waited for although it is not our child.
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

// killedParent launches a browser from another process, and gives a function that kills that process by SIGKILL.
func killedParent(t *testing.T, transport Transport) (pid int, dir string, kill func()) {
	t.Helper()
	parent := exec.Command(os.Args[0])
	parent.Env = append(os.Environ(), helperEnv+"="+string(transport))
	parent.Stderr = os.Stderr
	out, err := parent.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := parent.Start(); err != nil {
		t.Fatal(err)
	}
	line, _ := bufio.NewReader(out).ReadString('\n')
	if _, err := fmt.Sscan(line, &pid, &dir); err != nil {
		t.Fatalf("the parent says %q: %v", line, err)
	}
	return pid, dir, func() {
		if err := parent.Process.Kill(); err != nil {
			t.Fatal(err)
		}
		_ = parent.Wait()
	}
}

// TestABrowserEndsWhenItsParentIsKilled proves that nothing is needed for it but the pipe.
func TestABrowserEndsWhenItsParentIsKilled(t *testing.T) {
	pid, dir, kill := killedParent(t, TransportPipe)
	t.Cleanup(func() { _ = os.RemoveAll(dir) }) // nobody is left to do it
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
