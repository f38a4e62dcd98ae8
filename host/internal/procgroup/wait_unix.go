//go:build unix && !linux

package procgroup

// Wait waits for the program to end, and then ends what is left of its group. This system has no way to wait for a
// child without reaping it.
func (g *Group) Wait() {
	_ = g.cmd.Wait() // its error is in cmd.ProcessState
	g.mu.Lock()
	defer g.mu.Unlock()
	g.members.kill()
	g.reaped = true
}
