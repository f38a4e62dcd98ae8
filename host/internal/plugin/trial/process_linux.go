package trial

import (
	"fmt"
	"os"
	"os/exec"
	"syscall"
)

// endWithParent has the child end with its parent, even by a kill -9 and while a module spins in it.
func endWithParent(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL} }

// residentBytes is how much memory a process has; see proc_pid_statm(5).
func residentBytes(pid int) int64 {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/statm", pid))
	if err != nil {
		return 0 // it ended
	}
	var size, resident int64
	if _, err := fmt.Sscan(string(text), &size, &resident); err != nil {
		return 0
	}
	return resident * int64(os.Getpagesize())
}

// watchOwnMemory does nothing, as the parent watches.
func watchOwnMemory(int64) {}
