//go:build unix && !linux

package browser

import (
	"os/exec"
	"syscall"
)

// waitForGroup waits for the browser's end, then ends what is left of its process group. Here a child can not be waited
// for without reaping it.
func (p *Process) waitForGroup(cmd *exec.Cmd) {
	_ = cmd.Wait() // its error is in cmd.ProcessState
	p.mu.Lock()
	defer p.mu.Unlock()
	killGroup(p.pid)
	p.reaped = true
}

// survivors gives the leader's id while its process group has members; there is no portable list of them.
func survivors(group int, _ string) []int {
	if syscall.Kill(-group, 0) == nil {
		return []int{group}
	}
	return nil
}

// usersOf knows nothing here.
func usersOf(string) []int { return nil }

// leaderOf knows nothing here.
func leaderOf([]int) int { return 0 }
