package trial

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"syscall"
	"time"
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

// tick is the unit of times in proc_pid_stat(5), 1/USER_HZ, which is the same on all architectures that Go has.
const tick = time.Second / 100

// processorTime is how long a process has run, on all processors together; see utime and stime in proc_pid_stat(5).
func processorTime(pid int) time.Duration {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return 0 // it has ended
	}
	// The name in parentheses, which may itself contain some, is the second field; the times are the 14th and 15th.
	fields := strings.Fields(string(text[bytes.LastIndexByte(text, ')')+1:]))
	if len(fields) < 13 {
		return 0
	}
	ticks := 0
	for _, field := range fields[11:13] {
		n, _ := strconv.Atoi(field)
		ticks += n
	}
	return time.Duration(ticks) * tick
}

// watchOwnMemory does nothing here, because the parent watches.
func watchOwnMemory(int64) {}
