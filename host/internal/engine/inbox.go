package engine

import (
	"context"
	"sync"

	"github.com/hermes-cdp/hermes-cdp/host/fault"
	"github.com/hermes-cdp/hermes-cdp/host/internal/cdp"
	"github.com/hermes-cdp/hermes-cdp/host/internal/engine/decode"
	"github.com/hermes-cdp/hermes-cdp/host/internal/engine/netlog"
	"github.com/hermes-cdp/hermes-cdp/host/internal/supervise"
)

// The events that wait for the owner of a connection are bounded where a page makes as many as it likes: it can log,
// and send requests, faster than anybody reads.
const (
	maxConsoleBytes = 8 << 20
	maxNetworkBytes = 8 << 20
)

// inbox is the queue in front of the owner of a connection. Putting never blocks, so the reader of the connection never
// does either.
//
// Events of the console and of the network are shortened before they are queued, and dropped and counted above a bound
// of each. Nothing else is ever dropped: no dialog, frame or reply is dispensable, and a page has few of these at a
// time.
type inbox struct {
	mu      sync.Mutex
	items   []any
	spare   []any
	console bulk
	network bulk
	ready   chan struct{}
}

// bulk counts the queued events of a kind.
type bulk struct {
	bytes   int
	dropped uint64 // events, since the start
}

func newInbox() *inbox { return &inbox{ready: make(chan struct{}, 1)} }

func (b *inbox) put(item any) {
	b.mu.Lock()
	b.items = append(b.items, item)
	b.mu.Unlock()
	b.signal()
}

// putMessage puts a message of the browser.
func (b *inbox) putMessage(m cdp.Message) {
	of, limit := &b.console, maxConsoleBytes
	switch {
	case m.ID == 0 && consoleEvents[m.Method]:
	case m.ID == 0 && netlog.Logs(m.Method):
		of, limit = &b.network, maxNetworkBytes
	default:
		b.put(m)
		return
	}
	m.Params = decode.Shorten(m.Params)
	b.mu.Lock()
	if of.bytes+len(m.Params) > limit {
		of.dropped++
		b.mu.Unlock()
		return
	}
	of.bytes += len(m.Params)
	b.items = append(b.items, m)
	b.mu.Unlock()
	b.signal()
}

func (b *inbox) signal() {
	select {
	case b.ready <- struct{}{}:
	default:
	}
}

// len returns the number of queued items.
func (b *inbox) len() int {
	b.mu.Lock()
	defer b.mu.Unlock()
	return len(b.items)
}

// droppedEvents returns the number of dropped events of the console and of the network.
func (b *inbox) droppedEvents() (console, network uint64) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.console.dropped, b.network.dropped
}

// take returns all queued items; the slice belongs to the caller until the next take.
func (b *inbox) take() []any {
	b.mu.Lock()
	defer b.mu.Unlock()
	clear(b.spare)
	b.items, b.spare = b.spare[:0], b.items
	b.console.bytes, b.network.bytes = 0, 0
	return b.spare
}

// consoleEvents carry what a page logs; their size and number are up to the page.
var consoleEvents = map[string]bool{"Runtime.consoleAPICalled": true, "Runtime.exceptionThrown": true, "Log.entryAdded": true}

// The items of the inbox, besides cdp.Message and supervise.Event.
type (
	// request is an event whose Reply a caller waits for.
	request struct {
		id    supervise.RequestID
		event supervise.Event
		reply chan supervise.Reply
	}
	// register makes a task known before it is added to the state machine.
	register struct{ task *Task }
	// unregister forgets a task.
	unregister struct{ task *Task }
	// lost reports the end of the connection.
	lost struct{ err error }
	// shut stops the owner.
	shut struct{}
)

// onOwner is a function to run on the goroutine that owns the link.
type onOwner func()

// askOwner runs a question on the owner's goroutine, which alone may read the state; ok is false if the owner has
// ended.
func askOwner[T any](l *Link, question func() T) (answer T, ok bool) {
	reply := make(chan T, 1)
	l.inbox.put(onOwner(func() { reply <- question() }))
	select {
	case answer = <-reply:
		return answer, true
	case <-l.done:
		return answer, false
	}
}

// request applies an event to the state machine and waits for its reply.
func (l *Link) request(ctx context.Context, event func(supervise.RequestID) supervise.Event) (supervise.Reply, error) {
	id := supervise.RequestID(l.ids.Add(1))
	reply := make(chan supervise.Reply, 1)
	l.inbox.put(request{id: id, event: event(id), reply: reply})
	select {
	case r := <-reply:
		return r, nil
	case <-ctx.Done():
		return supervise.Reply{}, context.Cause(ctx)
	case <-l.done:
		return supervise.Reply{}, fault.ErrClosed
	}
}
