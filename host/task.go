package host

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"github.com/chromedp/cdproto/cdp"

	"github.com/hermes-cdp/hermes-cdp/host/internal/supervise"
)

// Task is one agent's share of a browser, supervised until it is closed. Its methods may be called from any goroutine.
type Task struct {
	id         string
	address    string // as given to Attach; empty for a launched browser
	policy     string // of its dialogs; set before the task is known
	shared     *shared
	link       *link
	hub        hub
	current    atomic.Pointer[publication]
	closed     atomic.Bool // its end was asked for
	operations operations
	readings   *readings
	recorder   atomic.Pointer[recorder] // nil: nothing is recorded
	handles    tabHandles
	visited    *lastAddress
	deaf       deafTabs
	before     before        // set before the task begins, and not changed
	restart    *Restart      // likewise; nil: nothing was restarted
	final      *Snapshot     // the last one before the browser was gone; set by publish, to be read once ended is closed
	ended      chan struct{} // closed by end
	ending     sync.Once

	context cdp.BrowserContextID // made for the task; empty otherwise. Set before the task is known, and not changed
	added   bool                 // to the state machine; guarded by the task's key of Host.starting
}

// publication is a snapshot, and a channel that is closed when a newer one is published.
type publication struct {
	snapshot   *Snapshot
	superseded chan struct{}
}

func newTask(id, address string, s *shared) *Task {
	t := &Task{id: id, address: address, shared: s, link: s.link, readings: newReadings(), ended: make(chan struct{})}
	t.operations.freeing, t.operations.hurry = context.WithCancel(context.Background())
	t.visited = newLastAddress(t.profile(), s.link.log)
	t.current.Store(&publication{snapshot: newSnapshot(supervise.View{Task: id}, nil), superseded: make(chan struct{})})
	return t
}

// publish is called by the connection's owner alone.
func (t *Task) publish(s *Snapshot) {
	old := t.current.Swap(&publication{snapshot: s, superseded: make(chan struct{})})
	if s.gone() && t.final == nil {
		t.final = old.snapshot
	}
	close(old.superseded)
}

// end tells everybody who waits on the task that nothing more will come.
func (t *Task) end() {
	t.ending.Do(func() {
		close(t.ended)
		t.hub.close()
	})
}

// alive tells whether the task is still supervised.
func (t *Task) alive() bool {
	select {
	case <-t.ended:
		return false
	default:
		return true
	}
}

// ID is the task's id.
func (t *Task) ID() string { return t.id }

// Snapshot returns what is known now. It never waits and takes no lock.
func (t *Task) Snapshot() *Snapshot { return t.current.Load().snapshot }

// SettledSnapshot returns a snapshot whose frame trees are the frame filter's verdict on the trees that are current at
// the call. It waits for that at most as long as the filter may take; then, and when ctx ends, it returns what there is.
func (t *Task) SettledSnapshot(ctx context.Context) *Snapshot {
	ctx, cancel := context.WithTimeout(ctx, t.link.host.frameDeadline())
	defer cancel()
	want := map[string]uint64{}
	for _, target := range t.Snapshot().Targets {
		if target.RawFrameTree != nil {
			want[target.ID] = target.RawFrameTree.Revision
		}
	}
	return t.waitFor(ctx, func(s *Snapshot) bool { return s.settled(want) })
}

// Wait returns the first snapshot, from now on, for which the condition holds, or the newest one when ctx ends or the
// task is closed; ok tells which.
func (t *Task) Wait(ctx context.Context, condition func(*Snapshot) bool) (snapshot *Snapshot, ok bool) {
	s := t.waitFor(ctx, condition)
	return s, condition(s)
}

func (t *Task) waitFor(ctx context.Context, condition func(*Snapshot) bool) *Snapshot {
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

// Events subscribes to what happens to the task; buffer bounds how many events wait for the reader.
func (t *Task) Events(buffer int) *Subscription { return t.hub.subscribe(buffer) }

// Done is closed when the task has been closed or its browser is gone.
func (t *Task) Done() <-chan struct{} { return t.ended }

// DialogResponse is an answer to a dialog.
type DialogResponse struct {
	// DialogID names the dialog; empty: the only pending one.
	DialogID string
	// Accept accepts, else the dialog is dismissed.
	Accept bool
	// PromptText is what an accepted prompt returns; nil: the page's default text.
	PromptText *string
}

// RespondDialog answers a dialog and returns it as it was closed, once the browser confirmed. Its errors are
// [*DialogError], whose codes are ErrNoDialog, ErrUnknownDialog, ErrAmbiguousDialog, ErrDialogBusy, ErrDialogGone,
// ErrAnswerRefused and ErrAnswerUnconfirmed; ErrBrowserGone; ErrClosed; and the context's. While the host reconnects, it
// waits. When ctx ends first the answer may still take effect.
//
// A dialog that was open when the connection was lost can only be dismissed: accepting it dismisses it and gives
// ErrDialogGone, with a text that says so.
func (t *Task) RespondDialog(ctx context.Context, r DialogResponse) (Dialog, error) {
	if t.closed.Load() {
		return Dialog{}, ErrClosed
	}
	reply, err := t.link.request(ctx, func(id supervise.RequestID) supervise.Event {
		return supervise.Respond{Request: id, Task: t.id, Dialog: r.DialogID, Accept: r.Accept, Text: r.PromptText}
	})
	if err != nil {
		return Dialog{}, err
	}
	err = publicError(reply.Err)
	if s := t.Snapshot(); err != nil && s.Disconnected != "" && !s.Reconnecting {
		err = fmt.Errorf("%w: %w", ErrBrowserGone, err)
	}
	return publicDialog(reply.Dialog), err
}

// Close ends the supervision: open dialogs are dismissed, tabs that the task opened are closed, others are left as they
// are, and a launched browser ends. It is safe to call it more than once.
func (t *Task) Close(ctx context.Context) error { return t.link.host.closeTask(ctx, t) }

// pluginDeadlineSlack is what a settled snapshot waits beyond the hook's own deadline, for an ask that was under way and
// for the scheduling around it.
const pluginDeadlineSlack = time.Second
