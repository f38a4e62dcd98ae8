//go:build unix

package procgroup

import (
	"os/exec"
	"syscall"
)

// members is the id of the process group.
type members int

func own(cmd *exec.Cmd) {
	if cmd.SysProcAttr == nil {
		cmd.SysProcAttr = new(syscall.SysProcAttr)
	}
	cmd.SysProcAttr.Setpgid = true
}

func gather(cmd *exec.Cmd) (members, error) { return members(cmd.Process.Pid), nil }

func (m members) terminate() { _ = syscall.Kill(-int(m), syscall.SIGTERM) }

func (m members) kill() { _ = syscall.Kill(-int(m), syscall.SIGKILL) }

func (members) release() error { return nil }
