package engine

import (
	"sync"

	"github.com/hermes-cdp/hermes-cdp/host/internal/cdp"
)

// maxConsoleBytes bounds the console events that wait for a connection's owner. A page can make them faster than anybody reads.
const maxConsoleBytes = 8 << 20

// inbox is the queue in front of a connection's owner. Putting never waits, so the reader of the connection never does.
//
// What a page logs is shortened before it waits, and dropped and counted over a bound. Nothing else ever is: neither a dialog,
// a frame nor a reply can be done without, and of these a page has few at a time.
type inbox struct {
	mu      sync.Mutex
	items   []any
	spare   []any
	console int    // bytes of console events that wait
	dropped uint64 // console events, since the beginning
	ready   chan struct{}
}

func newInbox() *inbox { return &inbox{ready: make(chan struct{}, 1)} }

func (b *inbox) put(item any) {
	b.mu.Lock()
	b.items = append(b.items, item)
	b.mu.Unlock()
	b.tell()
}

// putMessage puts what a browser said.
func (b *inbox) putMessage(m cdp.Message) {
	if m.ID != 0 || !consoleEvents[m.Method] {
		b.put(m)
		return
	}
	m.Params = shortenStrings(m.Params, maxConsoleString)
	b.mu.Lock()
	if b.console+len(m.Params) > maxConsoleBytes {
		b.dropped++
		b.mu.Unlock()
		return
	}
	b.console += len(m.Params)
	b.items = append(b.items, m)
	b.mu.Unlock()
	b.tell()
}

func (b *inbox) tell() {
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

// droppedEvents is how many console events were dropped.
func (b *inbox) droppedEvents() uint64 {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.dropped
}

// take returns all that waits; the slice is the owner's until the next take.
func (b *inbox) take() []any {
	b.mu.Lock()
	defer b.mu.Unlock()
	clear(b.spare)
	b.items, b.spare = b.spare[:0], b.items
	b.console = 0
	return b.spare
}
