package engine

import (
	"context"
	"errors"
	"time"

	"github.com/hermes-cdp/hermes-cdp/host/fault"
	"github.com/hermes-cdp/hermes-cdp/host/internal/schedule"
	"github.com/hermes-cdp/hermes-cdp/host/internal/supervise"
)

// An operation whose main thread does not answer at all is not left waiting until the end of its budget: its caller is told
// well before, and can do something about it.
const (
	// MinPatience is how long it is waited for a main thread's first word, or half of what is left of the budget where that is
	// more; a budget that is less is waited for to its end.
	MinPatience = time.Second
	// siblingPatience is how long, and a third of the budget, where the script of a call in another tab is known to run.
	siblingPatience = 2 * time.Second
)

// Left is what is left of the budget; negative: there is no end to it.
func (op *Operation) Left() time.Duration {
	op.mu.Lock()
	defer op.mu.Unlock()
	if op.clock == nil {
		return op.budget
	}
	return max(op.budget-time.Since(op.since), 0)
}

// TakeTurn waits until the main thread of a place answers and no other operation runs script there. When the operation's
// time is over before, nothing has run.
func (op *Operation) TakeTurn(at *supervise.Place) error { return op.fence(op.ctx, at) }

// ReturnTurn lets other operations run script.
func (op *Operation) ReturnTurn() {
	op.task.Link.inbox.put(schedule.Event(schedule.TurnOver{Op: op.id}))
}

// fence asks the main thread of a place for a word, within a context of the operation's.
func (op *Operation) fence(ctx context.Context, at *supervise.Place) error {
	err := op.DoWithin(ctx, fenceOf(at).call(at), nil)
	if err == nil {
		op.threads.note(*at)
	}
	return op.busy(at, err)
}

// TakeTurnWithin is takeTurn, but it waits no longer than a limit, where there is one, unless it is for a dialog. Without one
// that is so for the first turn of an operation.
func (op *Operation) TakeTurnWithin(at *supervise.Place, limit time.Duration) error {
	switch {
	case limit > 0:
		return op.fenceWithin(at, limit)
	case op.threads.known():
		return op.TakeTurn(at)
	}
	return op.first(at)
}

func (op *Operation) fenceWithin(at *supervise.Place, limit time.Duration) error {
	ctx, cancel := context.WithTimeoutCause(op.ctx, limit, fault.Stopped(context.DeadlineExceeded, context.DeadlineExceeded))
	defer cancel()
	err := op.fence(ctx, at)
	if err != nil && op.isBlocked() {
		return op.fence(op.ctx, at)
	}
	return err
}

// first waits for a main thread that has not answered yet: not long where a call in another tab keeps it busy, or one whose
// caller knows that it does, and not until the end of the budget in any case.
func (op *Operation) first(at *supervise.Place) error {
	left := op.Left()
	if left <= MinPatience {
		return op.fence(op.ctx, at) // or there is no end to it
	}
	short, long := max(min(left/3, siblingPatience), MinPatience/2), max(left/2, MinPatience)
	err := op.fenceWithin(at, short)
	var busy *fault.RendererBusyError
	if !errors.As(err, &busy) || op.ctx.Err() != nil || busy.BusyElsewhere() || busy.CallID != "" {
		return err
	}
	return op.fenceWithin(at, long-short)
}

// busy says of a fence that was not answered in time what keeps the main thread busy.
func (op *Operation) busy(at *supervise.Place, err error) error {
	var stop *fault.StoppedError
	if !errors.As(err, &stop) || !errors.Is(stop.Code, fault.ErrTimeout) || stop.Terminated {
		return err
	}
	l := op.task.Link
	busy, ok := ask(l, func() *fault.RendererBusyError { return l.busyAt(op.id, op.task.id, *at) })
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
