//go:build !linux

package procgroup

import "runtime"

// Wait waits for the program to end, and then ends what is left of its group. This system has no way to wait for a
// child without reaping it. On Windows nothing is known about the group any more.
func (g *Group) Wait() {
	_ = g.cmd.Wait() // its error is in cmd.ProcessState
	g.mu.Lock()
	defer g.mu.Unlock()
	if runtime.GOOS != "windows" {
		kill(g.PID())
	}
	g.reaped = true
}
