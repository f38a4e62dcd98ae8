package trial

import (
	"fmt"
	"os"
	"os/exec"
	"syscall"
)

// endWithParent makes the child end with its parent, even if that is killed and while a module spins in the child.
func endWithParent(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL} }

// residentBytes is the resident memory of a process; see proc_pid_statm(5).
func residentBytes(pid int) int64 {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/statm", pid))
	if err != nil {
		return 0 // it has ended
	}
	var size, resident int64
	if _, err := fmt.Sscan(string(text), &size, &resident); err != nil {
		return 0
	}
	return resident * int64(os.Getpagesize())
}

// watchOwnMemory does nothing here, because the parent watches.
func watchOwnMemory(int64) {}
