package browser

import (
	"bufio"
	"fmt"
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

// TestABrowserEndsWhenItsParentIsKilled proves that nothing is needed for it but the pipe: the parent is another process,
// killed by SIGKILL.
func TestABrowserEndsWhenItsParentIsKilled(t *testing.T) {
	parent := exec.Command(os.Args[0])
	parent.Env = append(os.Environ(), helperEnv+"=1")
	parent.Stderr = os.Stderr
	out, err := parent.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := parent.Start(); err != nil {
		t.Fatal(err)
	}
	var pid int
	var dir string
	line, _ := bufio.NewReader(out).ReadString('\n')
	if _, err := fmt.Sscan(line, &pid, &dir); err != nil {
		t.Fatalf("the parent says %q: %v", line, err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) }) // nobody is left to do it
	processes := survivors(pid, dir)
	if len(processes) < 2 {
		t.Fatalf("%v are the browser's processes, want several", processes)
	}
	awaitEnd := watch(t, processes)
	if err := parent.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = parent.Wait()
	awaitEnd()
	if left := survivors(pid, dir); len(left) > 0 {
		t.Errorf("processes %v are left", left)
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
