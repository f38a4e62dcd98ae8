package engine

import (
	"context"
	"errors"
	"time"

	"github.com/hermes-cdp/hermes-cdp/host/fault"
	"github.com/hermes-cdp/hermes-cdp/host/internal/schedule"
	"github.com/hermes-cdp/hermes-cdp/host/internal/supervise"
)

// If a main thread does not answer at all, the caller of the operation is told well before the end of the budget, while
// it can still react.
const (
	// MinWaitLimit is how long to wait for the first answer of a main thread, or half of what is left of the budget if
	// that is more. A smaller budget is spent entirely on waiting.
	MinWaitLimit = time.Second
	// siblingPatience, or a third of the budget if that is less, is how long to wait when the script of a call in another
	// tab is known to run.
	siblingPatience = 2 * time.Second
)

// Remaining returns what is left of the budget; negative: it has no limit.
func (op *Operation) Remaining() time.Duration {
	op.mu.Lock()
	defer op.mu.Unlock()
	if op.clock == nil {
		return op.budget
	}
	return max(op.budget-time.Since(op.since), 0)
}

// TakeTurn waits until the main thread of a place answers and no other operation runs script there. If the operation's
// time is over first, nothing has run.
func (op *Operation) TakeTurn(at *supervise.ScriptTarget) error {
	return op.awaitThread(op.waiting(), at)
}

// ReturnTurn lets other operations run script.
func (op *Operation) ReturnTurn() {
	op.task.Link.inbox.put(schedule.Event(schedule.TurnOver{Op: op.id}))
}

// awaitThread waits for the main thread of a place to answer, within a context of the operation's.
func (op *Operation) awaitThread(ctx context.Context, at *supervise.ScriptTarget) error {
	err := op.DoWithin(ctx, fenceOf(at).call(at), nil)
	if err == nil {
		op.threads.note(*at)
	}
	return op.asBusy(at, err)
}

// TakeTurnWithin is like [Operation.TakeTurn], but waits no longer than a limit, except for a dialog. Without a limit,
// the first turn of an operation gets one of its own.
func (op *Operation) TakeTurnWithin(at *supervise.ScriptTarget, limit time.Duration) error {
	switch {
	case limit > 0:
		return op.awaitThreadWithin(at, limit)
	case op.threads.known():
		return op.TakeTurn(at)
	}
	return op.takeFirstTurn(at)
}

func (op *Operation) awaitThreadWithin(at *supervise.ScriptTarget, limit time.Duration) error {
	ctx, cancel := context.WithTimeoutCause(op.waiting(), limit, fault.Stopped(context.DeadlineExceeded, context.DeadlineExceeded))
	defer cancel()
	err := op.awaitThread(ctx, at)
	if err != nil && op.isBlocked() {
		return op.awaitThread(op.waiting(), at)
	}
	return err
}

// takeFirstTurn waits for a main thread that has not answered yet: briefly if a call in another tab keeps it busy, or
// one whose caller has been told so, and in no case until the end of the budget.
func (op *Operation) takeFirstTurn(at *supervise.ScriptTarget) error {
	left := op.Remaining()
	if left <= MinWaitLimit {
		return op.awaitThread(op.waiting(), at) // also without a limit, where left is negative
	}
	short, long := max(min(left/3, siblingPatience), MinWaitLimit/2), max(left/2, MinWaitLimit)
	err := op.awaitThreadWithin(at, short)
	var busy *fault.RendererBusyError
	if !errors.As(err, &busy) || op.ctx.Err() != nil || busy.BusyElsewhere() || busy.CallID != "" {
		return err
	}
	return op.awaitThreadWithin(at, long-short)
}

// asBusy turns the timeout of a fence into an error that names what keeps the main thread busy.
func (op *Operation) asBusy(at *supervise.ScriptTarget, err error) error {
	var stop *fault.StoppedError
	if !errors.As(err, &stop) || !errors.Is(stop.Code, fault.ErrTimeout) || stop.Terminated {
		return err
	}
	l := op.task.Link
	busy, ok := askOwner(l, func() *fault.RendererBusyError { return l.busyAt(op.id, op.task.id, *at) })
	if !ok {
		return err
	}
	busy.Cause, busy.Acted = stop.Cause, op.threads.inputSent()
	busy.Handles = map[string]string{}
	for _, id := range append(busy.Siblings, busy.TargetID) {
		busy.Handles[id] = op.task.handles.of(id)
	}
	return busy
}
