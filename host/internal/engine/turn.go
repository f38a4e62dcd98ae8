package engine

import (
	"errors"

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
}

var (
	// pageFence returns the isolate id, which identifies the thread.
	pageFence = fence{method: runtime.CommandGetIsolateID}
	// workerFence is an empty expression: a worker answers every other command in the middle of its script.
	workerFence = fence{runtime.CommandEvaluate, &runtime.EvaluateParams{}}
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
	case errors.As(m.Err, &refused) && refused.Code == codeNoMethod:
		l.group.evaluations.fallback(fallbackNoIsolate)
		c.answer.err = nil
	case m.Err != nil:
		return false
	case cdp.Unmarshal(m.Result, &reply) == nil && reply.ID != "":
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
