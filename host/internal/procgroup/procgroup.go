// Package procgroup starts programs, and ends them with everything that they started.
package procgroup

import (
	"os/exec"
	"sync"
)

// Group is a program with what it starts: a process group on Unix, a job on Windows. It can be ended as a whole, and
// Ctrl-C in a terminal reaches only this process. On Windows it also ends with this process, however that ends. Its
// methods may be called from any goroutine.
type Group struct {
	cmd     *exec.Cmd
	members members

	mu     sync.Mutex
	reaped bool // another process or group may have the id now
}

// Start starts a program. Call Wait exactly once afterwards.
func Start(cmd *exec.Cmd) (*Group, error) {
	own(cmd)
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	members, err := gather(cmd)
	if err != nil {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
		return nil, err
	}
	return &Group{cmd: cmd, members: members}, nil
}

// PID returns the process id of the program. On Unix its group has the same id.
func (g *Group) PID() int { return g.cmd.Process.Pid }

// Terminate asks the group to end.
func (g *Group) Terminate() { g.signal(members.terminate) }

// Kill ends the group.
func (g *Group) Kill() { g.signal(members.kill) }

// Release lets the group live on when this process ends, however that ends. On Unix it would anyway.
func (g *Group) Release() error { return g.members.release() }

// signal sends something to the group unless its id may belong to others.
func (g *Group) signal(send func(members)) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if !g.reaped {
		send(g.members)
	}
}
