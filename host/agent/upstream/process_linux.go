package upstream

import "golang.org/x/sys/unix"

// wait waits for the program's end, ends its process group, and reaps it in this order (waitid with WNOWAIT): until the
// program is reaped no other process can get the group's number.
func (p *process) wait() {
	for unix.Waitid(unix.P_PID, p.cmd.Process.Pid, nil, unix.WEXITED|unix.WNOWAIT, nil) == unix.EINTR {
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	killGroup(p.cmd.Process.Pid)
	_ = p.cmd.Wait() // its error is in ProcessState
	p.reaped = true
}
