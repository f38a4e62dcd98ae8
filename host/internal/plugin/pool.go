package plugin

import (
	"context"
	"fmt"
	"sync"
)

// pool holds the instances of a module. The instance that was used last is used first, so a quiet module works with one
// warm instance.
//
// Goroutines of the pool create new instances, under the init limit of the module, and hand them to whoever has waited
// longest. So a caller with little time left does not cut an initialisation short, and does not have to wait for the
// one that it caused.
//
// Invariant, under mu: live counts idle instances, those in use, and those being created; live <= max.
type pool struct {
	max   int
	make  func() (*instance, error)
	ended func(*instance) // called when an instance has been closed

	mu      sync.Mutex
	idle    []*instance
	waiters []chan delivery // oldest first; each has room for its one delivery
	live    int
	making  int
	closed  bool
	work    sync.WaitGroup // instances in use, those being created, and callers that entered
}

type delivery struct {
	instance *instance
	err      error
}

// acquire returns an instance that belongs to the caller until release.
func (p *pool) acquire(ctx context.Context) (*instance, error) {
	if err := ctx.Err(); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrBusy, err)
	}
	p.mu.Lock()
	if p.closed {
		p.mu.Unlock()
		return nil, ErrClosed
	}
	if n := len(p.idle); n > 0 {
		i := p.idle[n-1]
		p.idle[n-1] = nil
		p.idle = p.idle[:n-1]
		p.work.Add(1)
		p.mu.Unlock()
		return i, nil
	}
	turn := make(chan delivery, 1)
	p.waiters = append(p.waiters, turn)
	p.grow()
	p.mu.Unlock()

	select {
	case d := <-turn:
		return d.instance, d.err
	case <-ctx.Done():
		return nil, p.giveUp(turn, ctx.Err())
	}
}

// giveUp removes a waiter from the queue. A delivery that arrives at the same moment is passed on.
func (p *pool) giveUp(turn chan delivery, cause error) error {
	p.mu.Lock()
	for n, w := range p.waiters {
		if w == turn {
			p.waiters = append(p.waiters[:n], p.waiters[n+1:]...)
			p.mu.Unlock()
			return fmt.Errorf("%w: %w", ErrBusy, cause)
		}
	}
	p.mu.Unlock()
	if d := <-turn; d.instance != nil {
		p.release(d.instance, true)
	}
	return fmt.Errorf("%w: %w", ErrBusy, cause)
}

// release takes an instance back from its caller, and closes it unless it can be reused.
func (p *pool) release(i *instance, reuse bool) {
	defer p.work.Done()
	p.mu.Lock()
	if reuse && !p.closed {
		p.offer(i)
		p.mu.Unlock()
		return
	}
	p.live--
	p.grow()
	p.mu.Unlock()
	i.close()
	p.ended(i)
}

// offer gives an instance to the first waiter, or keeps it. mu is held.
func (p *pool) offer(i *instance) {
	if len(p.waiters) == 0 {
		p.idle = append(p.idle, i)
		return
	}
	p.work.Add(1)
	p.deliver(delivery{instance: i})
}

// deliver ends the wait of the first waiter. mu is held.
func (p *pool) deliver(d delivery) {
	turn := p.waiters[0]
	p.waiters[0] = nil
	p.waiters = p.waiters[1:]
	turn <- d
}

// grow starts creating an instance for every waiter without one on the way, up to the limit. mu is held.
func (p *pool) grow() {
	for !p.closed && p.making < len(p.waiters) && p.live < p.max {
		p.live++
		p.making++
		p.work.Add(1)
		go p.add()
	}
}

func (p *pool) add() {
	defer p.work.Done()
	i, err := p.make()
	p.mu.Lock()
	p.making--
	if err == nil && !p.closed {
		p.offer(i)
		p.mu.Unlock()
		return
	}
	p.live--
	if err != nil && len(p.waiters) > 0 {
		p.deliver(delivery{err: err})
	}
	p.grow()
	p.mu.Unlock()
	if i != nil {
		i.close()
		p.ended(i)
	}
}

// enter lets a caller use an instance that does not belong to the pool, until work.Done.
func (p *pool) enter() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.closed {
		return ErrClosed
	}
	p.work.Add(1)
	return nil
}

// put adds the instance that was created while the module was loaded.
func (p *pool) put(i *instance) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.live++
	p.offer(i)
}

// close rejects new callers, waits until all instances are back, and closes them. The wait is bounded, because calls
// and initialisations are.
func (p *pool) close() {
	p.mu.Lock()
	p.closed = true
	for len(p.waiters) > 0 {
		p.deliver(delivery{err: ErrClosed})
	}
	idle := p.idle
	p.idle = nil
	p.live -= len(idle)
	p.mu.Unlock()
	for _, i := range idle {
		i.close()
		p.ended(i)
	}
	p.work.Wait()
}

func (p *pool) liveCount() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.live
}
