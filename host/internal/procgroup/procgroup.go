// Package procgroup starts programs, and ends them with everything that they started.
package procgroup

import (
	"os/exec"
	"sync"
)

// Group is a program in its own process group: what it starts can be ended with it, and Ctrl-C in a terminal reaches
// only this process. Its methods may be called from any goroutine.
type Group struct {
	cmd *exec.Cmd

	mu     sync.Mutex
	reaped bool // another process or group may have the id now
}

// Start starts a program. Call Wait exactly once afterwards.
func Start(cmd *exec.Cmd) (*Group, error) {
	own(cmd)
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	return &Group{cmd: cmd}, nil
}

// PID returns the process id of the program. On Unix its group has the same id.
func (g *Group) PID() int { return g.cmd.Process.Pid }

// Terminate asks the group to end.
func (g *Group) Terminate() { g.signal(terminate) }

// Kill ends the group.
func (g *Group) Kill() { g.signal(kill) }

// signal sends something to the group unless its id may belong to others.
func (g *Group) signal(send func(pid int)) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if !g.reaped {
		send(g.PID())
	}
}
