package mcp

import (
	"math"
	"sync"
	"time"
)

// pulse is how often a client is sent progress of a call; clients give up on silent calls.
const pulse = 5 * time.Second

// progress reports the progress of a call to a client. The protocol requires increasing numbers, so between two steps
// of a tool the number creeps towards the next integer.
type progress struct {
	send func(done, total float64, note string)

	mu    sync.Mutex
	last  float64
	total float64
	note  string
}

func newProgress(send func(done, total float64, note string)) *progress {
	return &progress{send: send, note: "working"}
}

// step records the progress that a tool reports.
func (p *progress) step(done, total float64, note string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.total, p.note = total, note
	if done > p.last {
		p.last = done
		p.send(p.last, p.total, p.note)
	}
}

// creep reports that the call is still in progress.
func (p *progress) creep() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.last += (math.Floor(p.last) + 1 - p.last) / 10
	p.send(p.last, p.total, p.note)
}

// start reports that regularly, until the returned function is called.
func (p *progress) start() (stop func()) {
	done, ended := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		ticker := time.NewTicker(pulse)
		defer ticker.Stop()
		for {
			select {
			case <-ticker.C:
				p.creep()
			case <-done:
				return
			}
		}
	}()
	return func() {
		close(done)
		<-ended
	}
}
