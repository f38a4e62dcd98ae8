package browser

import "os/exec"

// waitForGroup waits for the browser's end; its children end with its job.
func (p *Process) waitForGroup(cmd *exec.Cmd) {
	_ = cmd.Wait() // its error is in cmd.ProcessState
	p.mu.Lock()
	defer p.mu.Unlock()
	p.reaped = true
}

// survivors knows nothing on Windows: taskkill /T has ended the descendants.
func survivors(int, string) []int { return nil }

// usersOf knows nothing here.
func usersOf(string) []int { return nil }

// leaderOf knows nothing here.
func leaderOf([]int) int { return 0 }
