package host

import "sync"

// inbox is the queue in front of a connection's owner. Putting never waits, so the reader of the connection never does.
type inbox struct {
	mu    sync.Mutex
	items []any
	spare []any
	ready chan struct{}
}

func newInbox() *inbox { return &inbox{ready: make(chan struct{}, 1)} }

func (b *inbox) put(item any) {
	b.mu.Lock()
	b.items = append(b.items, item)
	b.mu.Unlock()
	select {
	case b.ready <- struct{}{}:
	default:
	}
}

// len is how many items wait.
func (b *inbox) len() int {
	b.mu.Lock()
	defer b.mu.Unlock()
	return len(b.items)
}

// take returns all that waits; the slice is the owner's until the next take.
func (b *inbox) take() []any {
	b.mu.Lock()
	defer b.mu.Unlock()
	clear(b.spare)
	b.items, b.spare = b.spare[:0], b.items
	return b.spare
}
