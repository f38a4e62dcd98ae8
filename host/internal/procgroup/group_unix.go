//go:build unix

package procgroup

import (
	"os/exec"
	"syscall"
)

func own(cmd *exec.Cmd) {
	if cmd.SysProcAttr == nil {
		cmd.SysProcAttr = new(syscall.SysProcAttr)
	}
	cmd.SysProcAttr.Setpgid = true
}

func terminate(pid int) { _ = syscall.Kill(-pid, syscall.SIGTERM) }

func kill(pid int) { _ = syscall.Kill(-pid, syscall.SIGKILL) }
