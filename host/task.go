package host

import (
	"context"
	"sync"
	"sync/atomic"
	"time"

	"github.com/hermes-cdp/hermes-cdp/host/act"
	"github.com/hermes-cdp/hermes-cdp/host/fault"
	"github.com/hermes-cdp/hermes-cdp/host/internal/engine"
	"github.com/hermes-cdp/hermes-cdp/host/internal/record"
)

// Task is one agent's share of a browser, supervised until it is closed. It is safe for concurrent use.
type Task struct {
	engine  *engine.Task // the task's share of the connection
	pages   *act.Pages   // reads the task's tabs and acts on them
	host    *Host
	place   place
	policy  string // for dialogs; set before the task is registered
	alone   bool   // nothing else uses its browser context; likewise
	shared  *shared
	hub     *hub
	camera  *record.Camera
	hold    hold
	filming sync.Mutex                  // held while a recording starts or stops
	film    atomic.Pointer[record.Film] // nil: not recorded
	notices notices                     // about this task alone
	tracing atomic.Pointer[tracing]     // nil: not traced
	began   time.Time
	restart *Restart // immutable once the task has begun; nil: not restarted
}

func (h *Host) newTask(id string, at place, s *shared) *Task {
	t := &Task{host: h, place: at, shared: s, hub: &hub{}, began: time.Now()}
	t.engine = engine.NewTask(id, s.link, t.hub)
	t.camera = record.NewCamera(t.engine, h.log)
	t.pages = act.NewPages(t.engine, h.rules, act.NewLastURL(t.profile(), h.log))
	t.pages.Traced = t.traceAction
	return t
}

// SettledSnapshot returns a snapshot whose frame trees are the frame filter's verdict on the current trees. It waits
// for that at most as long as the filter may take; after that, or when ctx ends, it returns the latest snapshot.
func (t *Task) SettledSnapshot(ctx context.Context) *Snapshot {
	ctx, cancel := context.WithTimeout(ctx, t.host.frameDeadline())
	defer cancel()
	return t.engine.SettledSnapshot(ctx)
}

// Events subscribes to the events of the task; buffer limits how many may wait for the reader.
func (t *Task) Events(buffer int) *Subscription { return t.hub.subscribe(buffer) }

// DialogResponse answers a dialog.
type DialogResponse struct {
	// DialogID is the dialog to answer; empty: the only pending one.
	DialogID string
	// Accept accepts the dialog; otherwise it is dismissed.
	Accept bool
	// PromptText is what an accepted prompt returns to the page; nil: the page's default text.
	PromptText *string
}

// Close ends the supervision: open dialogs are dismissed, tabs that the task opened are closed and others are left as
// they are, and a launched browser ends with its last task. It is safe to call it more than once.
func (t *Task) Close(ctx context.Context) error { return fault.Of("close", t.host.closeTask(ctx, t)) }

// pluginDeadlineSlack is how long a settled snapshot waits beyond the hook's own deadline: for a question already in
// progress, and for scheduling.
const pluginDeadlineSlack = time.Second

// RespondDialog answers a dialog. It returns the closed dialog once the browser has confirmed the answer. Its errors
// are [*DialogError], whose codes are ErrNoDialog, ErrUnknownDialog, ErrAmbiguousDialog, ErrDialogBusy, ErrDialogGone,
// ErrAnswerRefused and ErrAnswerUnconfirmed; ErrBrowserGone; ErrClosed; and the context's. It waits while the host
// reconnects. If ctx ends first, the answer may still take effect.
//
// A dialog that was open when the connection was lost can only be dismissed: accepting it dismisses it and returns
// ErrDialogGone, with a text that says so.
func (t *Task) RespondDialog(ctx context.Context, r DialogResponse) (_ Dialog, err error) {
	defer fault.During("respond_dialog", &err)
	return t.engine.Respond(ctx, r.DialogID, r.Accept, r.PromptText)
}

// DownloadDir is the directory for what the task downloads: [Options.DownloadDir], or one that is removed with the
// task.
func (t *Task) DownloadDir() string { return t.engine.DownloadDir() }

// ID returns the task's id.
func (t *Task) ID() string { return t.engine.ID() }

// Snapshot returns what is known about the task now. It never waits and takes no lock.
func (t *Task) Snapshot() *Snapshot { return t.engine.Snapshot() }

// Wait returns the first snapshot from now on that satisfies the condition, with ok true. If ctx ends or the task is
// closed first, it returns the latest snapshot, with ok false.
func (t *Task) Wait(ctx context.Context, condition func(*Snapshot) bool) (snapshot *Snapshot, ok bool) {
	return t.engine.Wait(ctx, condition)
}

// Done returns a channel that is closed when the task has been closed or its browser is gone.
func (t *Task) Done() <-chan struct{} { return t.engine.Done() }
