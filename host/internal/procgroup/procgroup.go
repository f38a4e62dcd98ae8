// Package procgroup starts programs, and ends them with all that they started.
package procgroup

import (
	"os/exec"
	"sync"
)

// Group is a program with a process group of its own: what it starts can be ended with it, and Ctrl-C in a terminal reaches
// this process alone. Its methods may be called by any goroutine.
type Group struct {
	cmd *exec.Cmd

	mu     sync.Mutex
	reaped bool // the number of the program, and of its group, may belong to others now
}

// Start starts a program. Wait must be called, once.
func Start(cmd *exec.Cmd) (*Group, error) {
	own(cmd)
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	return &Group{cmd: cmd}, nil
}

// PID is the process id of the program, which is also that of its group on Unix.
func (g *Group) PID() int { return g.cmd.Process.Pid }

// Terminate asks the group to end.
func (g *Group) Terminate() { g.signal(terminate) }

// Kill ends the group.
func (g *Group) Kill() { g.signal(kill) }

// signal does something to the group as long as it is ours.
func (g *Group) signal(send func(pid int)) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if !g.reaped {
		send(g.PID())
	}
}
