package engine

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/chromedp/cdproto/target"
	"github.com/hermes-cdp/hermes-cdp/host/fault"
)

// A page whose main thread is stuck can not be left as it is for another one of its site: Chromium makes the new document on
// the same thread, and once it is about to, the thread can not be freed any more, as the session is then the new document's.
// So script that keeps the main thread of a tab busy is ended before the tab leaves, and while it is on the way; it is about
// to be given up with its page anyhow. So are the actions that set it off: the next key of a text would meet the next handler,
// or the next document.

// stayTimeout is how long the main thread of a tab that is being left may be silent; a third of the budget where that is less.
const stayTimeout = 2 * time.Second

// askAgain is how long an answer is waited for before the question is asked once more.
const askAgain = 250 * time.Millisecond

// PrepareToLeave makes sure that a tab can be left, until stop is called. Budget is that of the navigation; 0 or less: none.
func (t *Task) PrepareToLeave(ctx context.Context, tab string, budget time.Duration) (stop func()) {
	patience := stayTimeout
	if budget > 0 {
		patience = min(patience, budget/3)
	}
	t.AbortActions(ctx, tab, (*Operation).IsDelivered)
	again := t.unblockOnce(ctx, tab, patience)
	ctx, cancel := context.WithCancel(context.Background())
	var done sync.WaitGroup
	done.Go(func() {
		for again {
			select {
			case <-time.After(patience):
				again = t.unblockOnce(ctx, tab, patience)
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

// unblockOnce looks once whether the main thread of a tab answers, and frees it where it does not. It tells whether to look again.
func (t *Task) unblockOnce(ctx context.Context, tab string, patience time.Duration) bool {
	session := t.stuckSession(ctx, tab)
	if session == "" {
		return ctx.Err() == nil && t.Alive()
	}
	if t.silentFor(ctx, session, patience) && t.stuckSession(ctx, tab) == session {
		t.AbortActions(ctx, tab, (*Operation).hasInput)
		t.Link.terminate(ctx, session, pageFence)
	}
	return ctx.Err() == nil && t.Alive()
}

// errLeft is why an action ended whose page was left.
var errLeft = errors.New("its page was left")

// AbortActions ends actions on the page of a tab that is being left, and waits until they are over; an empty tab is the one in use.
// What becomes of one that a dialog holds is the answer's.
func (t *Task) AbortActions(ctx context.Context, tab string, which func(*Operation) bool) {
	if page := t.Snapshot().Page(); tab == "" && page != nil {
		tab = page.ID
	}
	actions := t.operations.under(func(op *Operation) bool {
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

// silentFor tells whether the main thread of a session gives no answer for a time. It is asked again and again: a question that
// meets a page while that is being replaced may never be answered.
func (t *Task) silentFor(ctx context.Context, session target.SessionID, patience time.Duration) bool {
	for end := time.Now().Add(patience); time.Now().Before(end); {
		waiting, cancel := context.WithTimeout(ctx, min(askAgain, patience))
		err := t.Link.command(waiting, session, pageFence.method, nil, nil)
		cancel()
		if !errors.Is(err, context.DeadlineExceeded) || ctx.Err() != nil {
			return false
		}
	}
	return true
}

// stuckSession is the session of a tab whose main thread may be freed; empty where none is, or the context has ended.
func (t *Task) stuckSession(ctx context.Context, tab string) target.SessionID {
	if ctx.Err() != nil {
		return ""
	}
	session, _ := ask(t.Link, func() target.SessionID { return t.Link.scheduled.ToFree(t.id, target.ID(tab)) })
	return session
}
