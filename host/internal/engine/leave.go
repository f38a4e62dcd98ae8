package engine

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/chromedp/cdproto/target"

	"github.com/hermes-cdp/hermes-cdp/host/fault"
)

// A page whose main thread is stuck cannot simply be left for another one of the same site: Chromium creates the new
// document on the same thread. Once it is about to do so, the thread cannot be freed any more, as the session then
// belongs to the new document. So script that keeps the main thread of a tab busy is terminated before the tab leaves
// and while it is on its way; the page is about to be discarded anyway. The actions that started the script are ended
// as well: otherwise the next key of a text would reach the next handler, or the next document.

// silenceLimit is how long the main thread of a tab that is being left may be silent; a third of the budget if that is
// less.
const silenceLimit = 2 * time.Second

// probeTimeout is how long to wait for an answer before asking again.
const probeTimeout = 250 * time.Millisecond

// PrepareToLeave makes sure that a tab can be left, until stop is called. It ends a load that hangs. Budget is that of
// the navigation; 0 or less: none.
func (t *Task) PrepareToLeave(ctx context.Context, tab string, budget time.Duration) (stop func()) {
	patience := silenceLimit
	if budget > 0 {
		patience = min(patience, budget/3)
	}
	t.StopLoad(target.ID(tab))
	t.AbortActions(ctx, tab, (*Operation).IsDelivered)
	checkAgain := t.freeIfStuck(ctx, tab, patience)
	ctx, cancel := context.WithCancel(context.Background())
	var done sync.WaitGroup
	done.Go(func() {
		for checkAgain {
			select {
			case <-time.After(patience):
				checkAgain = t.freeIfStuck(ctx, tab, patience)
			case <-ctx.Done():
				return
			}
		}
	})
	return func() {
		cancel()
		done.Wait()
	}
}

// freeIfStuck checks once whether the main thread of a tab answers, and frees it if not. It reports whether to check
// again.
func (t *Task) freeIfStuck(ctx context.Context, tab string, patience time.Duration) bool {
	session := t.stuckSession(ctx, tab)
	if session == "" {
		return ctx.Err() == nil && t.Alive()
	}
	if t.isSilent(ctx, session, patience) && t.stuckSession(ctx, tab) == session {
		t.AbortActions(ctx, tab, (*Operation).hasInput)
		t.Link.terminate(ctx, session, pageFence)
	}
	return ctx.Err() == nil && t.Alive()
}

// errLeft is the cause that ends an action when its page is left.
var errLeft = errors.New("its page was left")

// AbortActions ends the actions on the page of a tab that is being left, and waits until they are over; an empty tab
// means the tab in use. An action that a dialog holds is left alone: the answer decides what happens to it.
func (t *Task) AbortActions(ctx context.Context, tab string, which func(*Operation) bool) {
	if page := t.Snapshot().Page(); tab == "" && page != nil {
		tab = page.ID
	}
	actions := t.operations.activeWhere(func(op *Operation) bool {
		return op.isFor(tab) && (which(op) || op.ctx.Err() != nil) && !op.isBlocked()
	})
	for _, op := range actions {
		op.end(&fault.StoppedError{Code: fault.ErrAborted, Cause: errLeft})
	}
	for _, op := range actions {
		select {
		case <-op.over:
		case <-ctx.Done():
		}
	}
}

// isSilent reports whether the main thread of a session gives no answer for a time. It asks repeatedly: a command that
// reaches a page while that is being replaced may never be answered.
func (t *Task) isSilent(ctx context.Context, session target.SessionID, patience time.Duration) bool {
	for end := time.Now().Add(patience); time.Now().Before(end); {
		waiting, cancel := context.WithTimeout(ctx, min(probeTimeout, patience))
		err := t.Link.command(waiting, session, pageFence.method, nil, nil)
		cancel()
		if !errors.Is(err, context.DeadlineExceeded) || ctx.Err() != nil {
			return false
		}
	}
	return true
}

// stuckSession returns the session of a tab whose main thread may be freed; empty if there is none or the context has
// ended.
func (t *Task) stuckSession(ctx context.Context, tab string) target.SessionID {
	if ctx.Err() != nil {
		return ""
	}
	session, _ := askOwner(t.Link, func() target.SessionID { return t.Link.scheduled.TerminableSession(t.id, target.ID(tab)) })
	return session
}
