package host

import (
	"context"
	"sync"
	"sync/atomic"

	cdproto "github.com/chromedp/cdproto/cdp"

	"github.com/hermes-cdp/hermes-cdp/host/internal/supervise"
)

// observer is told what happens to a task, by the owner of its connection: it does not wait.
type observer interface {
	// Publish tells of an event.
	Publish(Event)
	// Close says that there will be no more.
	Close()
}

// engineTask is one task's share of a connection, supervised until it is closed. Its methods may be called from any goroutine.
type engineTask struct {
	id         string
	link       *link
	observer   observer
	current    atomic.Pointer[publication]
	closed     atomic.Bool // its end was asked for
	operations operations
	touched    atomic.Uint64 // see Touched
	handles    tabHandles
	former     former        // set before the task begins, and not changed
	final      *Snapshot     // the last one before the browser was gone; set by publish, to be read once ended is closed
	ended      chan struct{} // closed by end
	ending     sync.Once

	context cdproto.BrowserContextID // made for the task; empty otherwise. Set before the task is known, and not changed
	added   bool                     // to the state machine; guarded by who starts and ends the task
}

// publication is a snapshot, and a channel that is closed when a newer one is published.
type publication struct {
	snapshot   *Snapshot
	superseded chan struct{}
}

func newEngineTask(id string, l *link, o observer) *engineTask {
	t := &engineTask{id: id, link: l, observer: o, ended: make(chan struct{})}
	t.operations.freeing, t.operations.hurry = context.WithCancel(context.Background())
	t.current.Store(&publication{snapshot: newSnapshot(supervise.View{Task: id}, nil), superseded: make(chan struct{})})
	return t
}

// publish is called by the connection's owner alone.
func (t *engineTask) publish(s *Snapshot) {
	old := t.current.Swap(&publication{snapshot: s, superseded: make(chan struct{})})
	if s.gone() && t.final == nil {
		t.final = old.snapshot
	}
	close(old.superseded)
}

// end tells everybody who waits on the task that nothing more will come.
func (t *engineTask) end() {
	t.ending.Do(func() {
		close(t.ended)
		t.observer.Close()
	})
}

// alive tells whether the task is still supervised.
func (t *engineTask) alive() bool {
	select {
	case <-t.ended:
		return false
	default:
		return true
	}
}

// ID is the task's id.
func (t *engineTask) ID() string { return t.id }

// Snapshot returns what is known now. It never waits and takes no lock.
func (t *engineTask) Snapshot() *Snapshot { return t.current.Load().snapshot }

// SettledSnapshot returns a snapshot whose frame trees are the frame filter's verdict on the trees that are current at
// the call. When ctx ends before, it returns what there is.
func (t *engineTask) SettledSnapshot(ctx context.Context) *Snapshot {
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
func (t *engineTask) Wait(ctx context.Context, condition func(*Snapshot) bool) (snapshot *Snapshot, ok bool) {
	s := t.waitFor(ctx, condition)
	return s, condition(s)
}

func (t *engineTask) waitFor(ctx context.Context, condition func(*Snapshot) bool) *Snapshot {
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
func (t *engineTask) Done() <-chan struct{} { return t.ended }

// Touched counts what may have changed a page: each operation of the task counts when it begins and when it ends.
func (t *engineTask) Touched() uint64 { return t.touched.Load() }
