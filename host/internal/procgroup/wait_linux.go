package procgroup

import "golang.org/x/sys/unix"

// Wait waits for the program to end, ends its group, and then reaps it (waitid with WNOWAIT): until the program is
// reaped, no other process can get the group's id.
func (g *Group) Wait() {
	for unix.Waitid(unix.P_PID, g.PID(), nil, unix.WEXITED|unix.WNOWAIT, nil) == unix.EINTR {
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	g.members.kill()
	_ = g.cmd.Wait() // its error is in cmd.ProcessState
	g.reaped = true
}
