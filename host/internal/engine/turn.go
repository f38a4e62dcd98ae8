package engine

import (
	"errors"

	"github.com/chromedp/cdproto/runtime"
	"github.com/hermes-cdp/hermes-cdp/host/fault"
	"github.com/hermes-cdp/hermes-cdp/host/internal/cdp"
	"github.com/hermes-cdp/hermes-cdp/host/internal/schedule"
	"github.com/hermes-cdp/hermes-cdp/host/internal/supervise"
)

// fence is a command that is answered on the thread of a page or a worker, once no script runs there, and runs none.
type fence struct {
	method string
	params any
}

var (
	// pageFence names the thread in its result.
	pageFence = fence{method: runtime.CommandGetIsolateID}
	// workerFence is an empty expression: a worker answers every other command in the middle of its script.
	workerFence = fence{runtime.CommandEvaluate, &runtime.EvaluateParams{}}
)

// fenceOf is the fence of a place. Workers have no frames.
func fenceOf(at *supervise.Place) fence {
	if at.Frame == "" {
		return workerFence
	}
	return pageFence
}

// call makes the call of a fence that takes the turn.
func (f fence) call(at *supervise.Place) *Call {
	return &Call{Method: f.method, Params: f.params, Call: schedule.Call{At: at, Turn: schedule.TakesTurn}}
}

// codeNoMethod is JSON-RPC's "method not found", as from a backend without the experimental Runtime.getIsolateId. That it
// replied at all is what matters.
const codeNoMethod = -32601

// fenced notes what the reply to a fence says of its main thread, and tells whether it is one.
func (l *Link) fenced(c *Call, m cdp.Message) bool {
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

// busyAt tells what keeps the main thread of a place busy, as far as it is known: the tab whose script, sent by us, runs
// there, or whose input may have set off what does; else the tabs that share the main thread.
func (l *Link) busyAt(asks schedule.OpID, task string, place supervise.Place) *fault.RendererBusyError {
	found := l.scheduled.Culprit(asks, task, place)
	busy := &fault.RendererBusyError{TargetID: string(place.Page), Elsewhere: found.Elsewhere, BusyTab: string(found.Page)}
	for _, id := range found.Siblings {
		busy.Siblings = append(busy.Siblings, string(id))
	}
	if op := l.operations[found.Op]; op != nil {
		busy.CallID, busy.Ending = op.leftBusy(), op.ctx.Err() != nil
	}
	return busy
}
