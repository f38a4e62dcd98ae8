//go:build unix && !linux

package trial

import (
	"os/exec"
	"syscall"
)

// isolate gives the child a process group of its own.
func isolate(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }
