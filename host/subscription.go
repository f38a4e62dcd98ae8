package host

import (
	"sync"
	"sync/atomic"
)

// Subscription receives the events of a task in order. Its buffer is bounded: if the reader is too slow, new events are
// dropped and counted, and the supervisor goes on.
type Subscription struct {
	// C is closed when the subscription, the task or the host is closed.
	C       <-chan Event
	events  chan Event
	dropped atomic.Uint64
	hub     *hub
}

// Dropped returns how many events were lost because C was full.
func (s *Subscription) Dropped() uint64 { return s.dropped.Load() }

// Close ends the subscription.
func (s *Subscription) Close() { s.hub.remove(s) }

// hub distributes the events of a task to its subscriptions.
type hub struct {
	mu     sync.Mutex
	subs   map[*Subscription]struct{}
	closed bool
}

func (h *hub) subscribe(buffer int) *Subscription {
	s := &Subscription{events: make(chan Event, max(buffer, 1)), hub: h}
	s.C = s.events
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.closed {
		close(s.events)
		return s
	}
	if h.subs == nil {
		h.subs = map[*Subscription]struct{}{}
	}
	h.subs[s] = struct{}{}
	return s
}

func (h *hub) remove(s *Subscription) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if _, ok := h.subs[s]; ok {
		delete(h.subs, s)
		close(s.events)
	}
}

// Publish implements the Observer of package engine.
func (h *hub) Publish(e Event) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for s := range h.subs {
		select {
		case s.events <- e:
		default:
			s.dropped.Add(1)
		}
	}
}

// Close implements the Observer of package engine.
func (h *hub) Close() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.closed = true
	for s := range h.subs {
		close(s.events)
	}
	clear(h.subs)
}
