package trial

import (
	"os/exec"
	"time"

	"golang.org/x/sys/windows"

	"github.com/hermes-cdp/hermes-cdp/host/internal/proctable"
)

// endWithParent does nothing here: the child is in a job (package procgroup), which ends with its parent.
func endWithParent(*exec.Cmd) {}

// residentBytes is the working set of a process.
func residentBytes(pid int) int64 { return proctable.Look(pid).Memory }

// processorTime is how long a process has run, on all processors together.
func processorTime(pid int) time.Duration {
	process, err := windows.OpenProcess(windows.PROCESS_QUERY_LIMITED_INFORMATION, false, uint32(pid)) //nolint:gosec // it is one
	if err != nil {
		return 0 // it has ended
	}
	defer func() { _ = windows.CloseHandle(process) }()
	var created, exited, kernel, user windows.Filetime
	if windows.GetProcessTimes(process, &created, &exited, &kernel, &user) != nil {
		return 0
	}
	return ticks(kernel) + ticks(user)
}

// ticks is an amount of time, which counts units of 100 ns.
func ticks(amount windows.Filetime) time.Duration {
	return time.Duration(int64(amount.HighDateTime)<<32|int64(amount.LowDateTime)) * 100
}

// watchOwnMemory does nothing here, because the parent watches.
func watchOwnMemory(int64) {}
