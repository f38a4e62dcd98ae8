package mcp

import (
	"math"
	"sync"
	"time"
)

// pulse is how often a client hears of a call that is under way; clients give up on those they hear nothing of.
const pulse = 5 * time.Second

// progress tells a client how far a call is. The protocol wants numbers that grow, so between two steps of a tool the
// number creeps towards the next whole one.
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

// step is what a tool tells of itself.
func (p *progress) step(done, total float64, note string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.total, p.note = total, note
	if done > p.last {
		p.last = done
		p.send(p.last, p.total, p.note)
	}
}

// creep says that the call is still under way.
func (p *progress) creep() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.last += (math.Floor(p.last) + 1 - p.last) / 10
	p.send(p.last, p.total, p.note)
}

// start says so every now and then, until the returned function has been called.
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
