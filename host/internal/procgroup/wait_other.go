//go:build !linux

package procgroup

import "runtime"

// Wait waits for the program's end, then ends what is left of its group. Here nothing waits for a child without reaping
// it. On Windows nothing is known of the group any more.
func (g *Group) Wait() {
	_ = g.cmd.Wait() // its error is in cmd.ProcessState
	g.mu.Lock()
	defer g.mu.Unlock()
	if runtime.GOOS != "windows" {
		kill(g.PID())
	}
	g.reaped = true
}
