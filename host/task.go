package host

import (
	"context"
	"sync/atomic"
	"time"

	"github.com/hermes-cdp/hermes-cdp/host/act"
	"github.com/hermes-cdp/hermes-cdp/host/internal/engine"
	"github.com/hermes-cdp/hermes-cdp/host/internal/record"
)

// Task is one agent's share of a browser, supervised until it is closed. Its methods may be called from any goroutine.
type Task struct {
	engine   *engine.Task // its share of the connection
	pages    *act.Task    // reads and acts on its tabs
	host     *Host
	address  string // as given to Attach; empty for a launched browser
	policy   string // of its dialogs; set before the task is known
	shared   *shared
	hub      *hub
	recorder atomic.Pointer[record.Recorder] // nil: nothing is recorded
	restart  *Restart                        // set before the task begins, and not changed; nil: nothing was restarted
}

func (h *Host) newTask(id, address string, s *shared) *Task {
	t := &Task{host: h, address: address, shared: s, hub: &hub{}}
	t.engine = engine.NewTask(id, s.link, t.hub)
	t.pages = act.NewTask(t.engine, h.rules, act.NewLastAddress(t.profile(), h.log))
	return t
}

// SettledSnapshot returns a snapshot whose frame trees are the frame filter's verdict on the trees that are current at
// the call. It waits for that at most as long as the filter may take; then, and when ctx ends, it returns what there is.
func (t *Task) SettledSnapshot(ctx context.Context) *Snapshot {
	ctx, cancel := context.WithTimeout(ctx, t.host.frameDeadline())
	defer cancel()
	return t.engine.SettledSnapshot(ctx)
}

// Events subscribes to what happens to the task; buffer bounds how many events wait for the reader.
func (t *Task) Events(buffer int) *Subscription { return t.hub.subscribe(buffer) }

// DialogResponse is an answer to a dialog.
type DialogResponse struct {
	// DialogID names the dialog; empty: the only pending one.
	DialogID string
	// Accept accepts, else the dialog is dismissed.
	Accept bool
	// PromptText is what an accepted prompt returns; nil: the page's default text.
	PromptText *string
}

// Close ends the supervision: open dialogs are dismissed, tabs that the task opened are closed, others are left as they
// are, and a launched browser ends. It is safe to call it more than once.
func (t *Task) Close(ctx context.Context) error { return t.host.closeTask(ctx, t) }

// pluginDeadlineSlack is what a settled snapshot waits beyond the hook's own deadline, for an ask that was under way and
// for the scheduling around it.
const pluginDeadlineSlack = time.Second

// RespondDialog answers a dialog and returns it as it was closed, once the browser confirmed. Its errors are
// [*DialogError], whose codes are ErrNoDialog, ErrUnknownDialog, ErrAmbiguousDialog, ErrDialogBusy, ErrDialogGone,
// ErrAnswerRefused and ErrAnswerUnconfirmed; ErrBrowserGone; ErrClosed; and the context's. While the host reconnects, it
// waits. When ctx ends first the answer may still take effect.
//
// A dialog that was open when the connection was lost can only be dismissed: accepting it dismisses it and gives
// ErrDialogGone, with a text that says so.
func (t *Task) RespondDialog(ctx context.Context, r DialogResponse) (Dialog, error) {
	return t.engine.Respond(ctx, r.DialogID, r.Accept, r.PromptText)
}

// ID is the task's id.
func (t *Task) ID() string { return t.engine.ID() }

// Snapshot returns what is known now. It never waits and takes no lock.
func (t *Task) Snapshot() *Snapshot { return t.engine.Snapshot() }

// Wait returns the first snapshot, from now on, for which the condition holds, or the newest one when ctx ends or the
// task is closed; ok tells which.
func (t *Task) Wait(ctx context.Context, condition func(*Snapshot) bool) (snapshot *Snapshot, ok bool) {
	return t.engine.Wait(ctx, condition)
}

// Done is closed when the task has been closed or its browser is gone.
func (t *Task) Done() <-chan struct{} { return t.engine.Done() }
