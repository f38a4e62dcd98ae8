package engine

import (
	"context"
	"errors"
	"time"

	"github.com/chromedp/cdproto/runtime"

	"github.com/hermes-cdp/hermes-cdp/host/fault"
	"github.com/hermes-cdp/hermes-cdp/host/internal/cdp"
	"github.com/hermes-cdp/hermes-cdp/host/internal/schedule"
	"github.com/hermes-cdp/hermes-cdp/host/internal/supervise"
)

// fence is a command that is answered on the thread of a page or a worker once no script runs there, and that runs no
// script itself.
type fence struct {
	method string
	params any
	result any // receives the reply; nil: nobody wants it
}

var (
	// pageFence returns the isolate id, which identifies the thread.
	pageFence = fence{method: runtime.CommandGetIsolateID}
	// workerFence is an empty expression: a worker answers every other command in the middle of its script.
	workerFence = fence{method: runtime.CommandEvaluate, params: &runtime.EvaluateParams{}}
)

// fenceOf returns the fence of a place. Workers have no frames.
func fenceOf(at *supervise.ScriptTarget) fence {
	if at.Frame == "" {
		return workerFence
	}
	return pageFence
}

// call returns the call of a fence that takes the turn.
func (f fence) call(at *supervise.ScriptTarget) *Call {
	return &Call{Method: f.method, Params: f.params, Call: schedule.Call{At: at, Turn: schedule.TakeTurn}}
}

// codeNoMethod is JSON-RPC's "method not found". A backend without the experimental Runtime.getIsolateId replies with
// it, and that it replies at all is what matters.
const codeNoMethod = -32601

// fencePassed reports whether the reply to a fence shows that the main thread is free, and records the isolate that it
// names.
func (l *Link) fencePassed(c *Call, m cdp.Message) bool {
	var refused *cdp.Error
	var reply runtime.GetIsolateIDResult
	switch {
	case c.Method == pageFence.method && errors.As(m.Err, &refused) && refused.Code == codeNoMethod:
		l.group.evaluations.fallback(fallbackNoIsolate)
		c.answer.err = nil
	case m.Err != nil:
		return false
	case c.Method == pageFence.method && cdp.Unmarshal(m.Result, &reply) == nil && reply.ID != "":
		l.apply(supervise.IsolateKnown{Session: c.At.Session, Isolate: reply.ID, Loader: c.loader})
	}
	return true
}

// busyAt returns what keeps the main thread of a place busy, as far as it is known: the tab whose script, sent by us,
// runs there or whose input may have set it off; else the tabs that share the main thread.
func (l *Link) busyAt(asks schedule.OpID, task string, place supervise.ScriptTarget) *fault.RendererBusyError {
	found := l.scheduled.BusyWith(asks, task, place)
	busy := &fault.RendererBusyError{TargetID: string(place.Page), Elsewhere: found.Elsewhere, BusyTab: string(found.Page)}
	for _, id := range found.Siblings {
		busy.Siblings = append(busy.Siblings, string(id))
	}
	if op := l.operations[found.Op]; op != nil {
		busy.CallID, busy.Ending = op.busyCallID(), op.ctx.Err() != nil
	}
	return busy
}

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
	return op.awaitThread(op.waiting(), at, fenceOf(at))
}

// ReturnTurn lets other operations run script.
func (op *Operation) ReturnTurn() {
	op.task.Link.inbox.put(schedule.Event(schedule.TurnOver{Op: op.id}))
}

// awaitThread waits for the main thread of a place to answer a fence, within a context of the operation's.
func (op *Operation) awaitThread(ctx context.Context, at *supervise.ScriptTarget, f fence) error {
	err := op.DoWithin(ctx, f.call(at), f.result)
	if err == nil {
		op.threads.note(*at)
	}
	return op.asBusy(at, err)
}

// TakeTurnWithin is like [Operation.TakeTurn], but waits no longer than a limit, except for a dialog. Without a limit,
// the first turn of an operation gets one of its own.
func (op *Operation) TakeTurnWithin(at *supervise.ScriptTarget, limit time.Duration) error {
	return op.takeTurnWithin(at, limit, fenceOf(at))
}

// TakeTurnWith is like [Operation.TakeTurnWithin] with a command that the caller needs anyway as the fence. The page's
// thread answers it, it runs no script, and the isolate of the place is known.
func (op *Operation) TakeTurnWith(at *supervise.ScriptTarget, limit time.Duration, method string, params, result any) error {
	return op.takeTurnWithin(at, limit, fence{method, params, result})
}

func (op *Operation) takeTurnWithin(at *supervise.ScriptTarget, limit time.Duration, f fence) error {
	switch {
	case limit > 0:
		return op.awaitThreadWithin(at, limit, f)
	case op.threads.known():
		return op.awaitThread(op.waiting(), at, f)
	}
	return op.takeFirstTurn(at, f)
}

func (op *Operation) awaitThreadWithin(at *supervise.ScriptTarget, limit time.Duration, f fence) error {
	ctx, cancel := context.WithTimeoutCause(op.waiting(), limit, fault.Stopped(context.DeadlineExceeded, context.DeadlineExceeded))
	defer cancel()
	err := op.awaitThread(ctx, at, f)
	if err != nil && op.isBlocked() {
		return op.awaitThread(op.waiting(), at, f)
	}
	return err
}

// takeFirstTurn waits for a main thread that has not answered yet: briefly if a call in another tab keeps it busy, or
// one whose caller has been told so, and in no case until the end of the budget.
func (op *Operation) takeFirstTurn(at *supervise.ScriptTarget, f fence) error {
	left := op.Remaining()
	if left <= MinWaitLimit {
		return op.awaitThread(op.waiting(), at, f) // also without a limit, where left is negative
	}
	short, long := max(min(left/3, siblingPatience), MinWaitLimit/2), max(left/2, MinWaitLimit)
	err := op.awaitThreadWithin(at, short, f)
	var busy *fault.RendererBusyError
	if !errors.As(err, &busy) || op.ctx.Err() != nil || busy.BusyElsewhere() || busy.CallID != "" {
		return err
	}
	return op.awaitThreadWithin(at, long-short, f)
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
