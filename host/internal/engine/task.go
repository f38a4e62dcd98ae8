package engine

import (
	"context"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	cdproto "github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/target"

	"github.com/hermes-cdp/hermes-cdp/host/internal/engine/netlog"
	"github.com/hermes-cdp/hermes-cdp/host/internal/engine/screencast"
	"github.com/hermes-cdp/hermes-cdp/host/internal/netguard"
	"github.com/hermes-cdp/hermes-cdp/host/internal/supervise"
	"github.com/hermes-cdp/hermes-cdp/host/view"
)

// Observer is told what happens to a task. The owner of the connection calls it, so it must not block.
type Observer interface {
	// Publish delivers an event.
	Publish(view.Event)
	// Close says that no more events follow.
	Close()
}

// Task is one task's share of a connection, supervised until it is closed. Its methods may be called from any
// goroutine.
type Task struct {
	id         string
	Link       *Link
	observer   Observer
	current    atomic.Pointer[publication]
	closed     atomic.Bool // set when its end begins
	operations operations
	touched    atomic.Uint64 // counted by Touched
	handles    tabHandles
	network    netlog.Log
	emulation  emulation
	former     Earlier        // set before the task starts, then unchanged
	final      *view.Snapshot // the last one before the browser was gone; set by Publish, read once ended is closed
	ended      chan struct{}  // closed by End
	ending     sync.Once

	// Checker decides which addresses the task's requests may lead to; nil: the browser has a proxy for that, or nobody
	// decides. It is set before the task starts, then unchanged.
	Checker *netguard.Checker

	context   cdproto.BrowserContextID // made for the task, or empty; set before the task is known, then unchanged
	downloads taskDownloads
	added     bool // to the state machine; synchronised by whoever starts and ends the task
}

// publication is a snapshot, with a channel that is closed when a newer one is published.
type publication struct {
	snapshot   *view.Snapshot
	superseded chan struct{}
}

// NewTask returns a task that has not been started.
func NewTask(id string, l *Link, o Observer) *Task {
	t := &Task{id: id, Link: l, observer: o, ended: make(chan struct{})}
	t.operations.left = time.Now()
	t.operations.terminating, t.operations.stopTerminating = context.WithCancel(context.Background())
	t.current.Store(&publication{snapshot: view.NewSnapshot(supervise.View{Task: id}, nil), superseded: make(chan struct{})})
	return t
}

// Publish replaces the snapshot. Only the owner of the connection calls it.
func (t *Task) Publish(s *view.Snapshot) {
	old := t.current.Swap(&publication{snapshot: s, superseded: make(chan struct{})})
	if s.Gone() && t.final == nil {
		t.final = old.snapshot
	}
	close(old.superseded)
}

// End tells everybody who waits on the task that nothing more will come.
func (t *Task) End() {
	t.ending.Do(func() {
		close(t.ended)
		t.observer.Close()
	})
}

// Alive reports whether the task is still supervised.
func (t *Task) Alive() bool {
	select {
	case <-t.ended:
		return false
	default:
		return true
	}
}

// ID returns the id of the task.
func (t *Task) ID() string { return t.id }

// Snapshot returns what is known now. It never blocks and takes no lock.
func (t *Task) Snapshot() *view.Snapshot { return t.current.Load().snapshot }

// SettledSnapshot returns a snapshot whose frame trees are the frame filter's verdicts on the trees that are current at
// the call. If ctx ends first, it returns the newest snapshot.
func (t *Task) SettledSnapshot(ctx context.Context) *view.Snapshot {
	want := map[string]uint64{}
	for _, target := range t.Snapshot().Targets {
		if target.RawFrameTree != nil {
			want[target.ID] = target.RawFrameTree.Revision
		}
	}
	return t.waitFor(ctx, func(s *view.Snapshot) bool { return s.Settled(want) })
}

// Wait returns the first snapshot from now on for which the condition holds. If ctx ends or the task is closed first,
// it returns the newest one; ok reports whether the condition holds.
func (t *Task) Wait(ctx context.Context, condition func(*view.Snapshot) bool) (snapshot *view.Snapshot, ok bool) {
	s := t.waitFor(ctx, condition)
	return s, condition(s)
}

func (t *Task) waitFor(ctx context.Context, condition func(*view.Snapshot) bool) *view.Snapshot {
	for {
		p := t.current.Load()
		if condition(p.snapshot) {
			return p.snapshot
		}
		select {
		case <-p.superseded:
		case <-ctx.Done():
			return t.Snapshot()
		case <-t.ended:
			return t.Snapshot()
		}
	}
}

// Done is closed when the task has been closed or its browser is gone.
func (t *Task) Done() <-chan struct{} { return t.ended }

// Touched counts what may have changed a page: each operation of the task counts when it begins and when it ends.
func (t *Task) Touched() uint64 { return t.touched.Load() }

// Idle is how long no operation of the task has been running, or waiting to be resumed; 0 while one is.
func (t *Task) Idle() time.Duration { return t.operations.idle() }

// Current returns the newest snapshot, and a channel that is closed when a newer one is published.
func (t *Task) Current() (*view.Snapshot, <-chan struct{}) {
	p := t.current.Load()
	return p.snapshot, p.superseded
}

// Handle returns the handle of a tab: always the same one, and never one of another tab.
func (t *Task) Handle(target string) string { return t.handles.of(target) }

// IsClosed reports whether the end of the task has begun.
func (t *Task) IsClosed() bool { return t.closed.Load() }

// Context returns the browser context that was made for the task; empty if it has none of its own.
func (t *Task) Context() cdproto.BrowserContextID { return t.context }

// Earlier returns the numbers that former lives of the task gave out.
func (t *Task) Earlier() Earlier { return t.former }

// ContinueNumbering makes a task that has not started continue the numbering of its former lives.
func (t *Task) ContinueNumbering(f Earlier) {
	t.former, t.handles.last, t.operations.last = f, f.Tab, f.Call
}

// HighestNumbers returns the highest numbers that were given out, of a tab's handle and of a call's id.
func (t *Task) HighestNumbers() (tab, call int) { return t.handles.count(), t.operations.count() }

// Final returns the last snapshot before the browser was gone, of a task that has ended; nil if its browser was not
// gone.
func (t *Task) Final() *view.Snapshot { return t.final }

// Post puts an event for the state machine into the inbox.
func (t *Task) Post(e supervise.Event) { t.Link.inbox.put(e) }

// Tell sends a command whose reply is not needed.
func (t *Task) Tell(session target.SessionID, method string, params any) {
	t.Link.tell(session, method, params)
}

// CallSession runs a command on a session once there is a connection, bypassing the schedule. It is for commands that
// the browser process itself answers, whatever the page does.
func (t *Task) CallSession(ctx context.Context, session, method string, params, result any) error {
	conn, err := t.Link.connection.wait(ctx)
	if err != nil {
		return err
	}
	return conn.Call(ctx, session, method, params, result)
}

// RouteFrames sends the pictures of a session to a slot; a nil slot ends that.
func (t *Task) RouteFrames(session string, to *screencast.Slot) { t.Link.frames.Route(session, to) }

// Evaluated counts an evaluation.
func (t *Task) Evaluated(took time.Duration, err error) {
	t.Link.group.evaluations.ended(took, err)
}

// CountNoDocument counts an expression that found no document to run in, and is sent again.
func (t *Task) CountNoDocument() { t.Link.group.evaluations.fallback(fallbackDocument) }

// tabHandles assigns handles to tabs. The zero value is ready to use.
type tabHandles struct {
	mu     sync.Mutex
	last   int
	handle map[string]int
}

// of returns the handle of a tab: always the same one, and never one of another tab. None is forgotten: a caller may
// still use it.
func (h *tabHandles) of(target string) string {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.handle == nil {
		h.handle = map[string]int{}
	}
	number, ok := h.handle[target]
	if !ok {
		h.last++
		number = h.last
		h.handle[target] = number
	}
	return "t" + strconv.Itoa(number)
}

// count returns the highest number of a handle.
func (h *tabHandles) count() int {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.last
}

// Earlier holds the numbers that were given out in former lives of a task, whose browsers ended. They are not given out
// again.
type Earlier struct {
	Ref, Tab, Call, Dialog int
	Reading                uint64
	// Ended says how the browser of the last life ended; empty: not by itself.
	Ended string
}

// Why says why something of a former life is missing.
func (f Earlier) Why() string {
	if f.Ended == "" {
		return "the browser has been started again since"
	}
	return "the browser has been restarted since: " + f.Ended
}

// NumberAfter returns the number of an id such as c-5; 0 if it is not one.
func NumberAfter(prefix, id string) int {
	digits, ok := strings.CutPrefix(id, prefix)
	n, err := strconv.Atoi(digits)
	if !ok || err != nil {
		return 0
	}
	return n
}
