//go:build !linux

package upstream

// wait waits for the program's end. What it started and left behind has lost its standard input with it.
func (p *process) wait() {
	_ = p.cmd.Wait() // its error is in ProcessState
	p.mu.Lock()
	defer p.mu.Unlock()
	p.reaped = true
}
