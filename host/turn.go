package host

import (
	"errors"
	"time"

	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/cdproto/target"

	"github.com/hermes-cdp/hermes-cdp/host/internal/cdp"
	"github.com/hermes-cdp/hermes-cdp/host/internal/supervise"
)

// The pages of one renderer process share a main thread, and Runtime.terminateExecution ends whatever script runs on it.
// So script is only sent to a main thread that answers, and for one operation at a time: what has to be terminated later
// is then the script of that operation, and an operation that got no turn has run nothing.

// turnStep is what a call has to do with the turn of its operation.
type turnStep int

const (
	noTurn        turnStep = iota
	takesTurn              // a fence: its reply gives the operation the turn
	followedByEnd          // it may wait for a promise; the fence that is sent behind it tells when its script is over
	endsTurn               // that fence
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

// call makes a call of a fence.
func (f fence) call(at *supervise.Place, turn turnStep) *call {
	return &call{method: f.method, params: f.params, at: at, turn: turn}
}

// endTurn is put by an operation that runs no more script.
type endTurn struct{ op *operation }

// thread is the key of the main thread that serves a session.
func (l *link) thread(session target.SessionID) string {
	if isolate := l.state.Isolate(session); isolate != "" {
		return isolate
	}
	return "session " + string(session)
}

// taken tells whether another operation has the turn that a fence is for.
func (l *link) taken(c *call) bool {
	holder := l.turns[l.thread(c.at.Session)]
	return holder != nil && holder != c.op
}

// sentForOperation notes what the sending of a call means for its operation.
func (l *link) sentForOperation(c *call) {
	if c.op == nil {
		return
	}
	c.op.begun, c.sentAt = c.op.begun || c.begins, time.Now()
	if c.begins {
		c.op.noteSent(c)
	}
	switch c.turn {
	case takesTurn:
		c.loader = l.state.RootLoader(c.at.Session)
	case followedByEnd:
		end := fenceOf(c.at).call(c.at, endsTurn)
		end.task, end.op, end.on, end.reply = c.task, c.op, c.on, make(chan callReply, 1)
		l.startCall(end)
	case noTurn, endsTurn:
	}
}

// fenced gives the turn to an operation whose fence was answered. If another was faster, the fence is sent again later.
func (l *link) fenced(c *call, m cdp.Message) {
	delete(l.calls, c.id)
	var refused *cdp.Error
	if m.Err != nil && !(errors.As(m.Err, &refused) && refused.Code == codeNoMethod) {
		l.finish(c, nil, m.Err)
		return
	}
	var reply runtime.GetIsolateIDResult
	if m.Err != nil {
		l.host.evaluations.fallback(fallbackNoIsolate)
	} else if err := unmarshal(m.Result, &reply); err == nil && reply.ID != "" {
		l.apply(supervise.IsolateKnown{Session: c.at.Session, Isolate: reply.ID, Loader: c.loader})
	}
	if l.taken(c) {
		l.held = append(l.held, c)
		return
	}
	l.turns[l.thread(c.at.Session)] = c.op
	c.op.turnAt = *c.at
	l.finish(c, m.Result, nil)
}

// codeNoMethod is JSON-RPC's "method not found", as from a backend without the experimental Runtime.getIsolateId. That it
// replied at all is what matters.
const codeNoMethod = -32601

func (l *link) endTurn(op *operation) {
	for thread, holder := range l.turns {
		if holder == op {
			delete(l.turns, thread)
		}
	}
}

func (l *link) hasTurn(op *operation) bool {
	for _, holder := range l.turns {
		if holder == op {
			return true
		}
	}
	return false
}

// findRunning asks whether the script of a call may still run, and on which session.
type findRunning struct {
	call  *call
	reply chan runningCall
}

// runningCall is zero where the script is over.
type runningCall struct {
	session target.SessionID
	since   time.Time          // when it was sent
	paused  []target.SessionID // of the agent, whose debugger has paused what the call runs
}

func (l *link) running(c *call) runningCall {
	if l.calls[c.id] != c || c.stirs {
		return runningCall{}
	}
	found := runningCall{since: c.sentAt, paused: l.pausedBy(c)}
	if l.hasTurn(c.op) {
		found.session = c.session
	}
	return found
}

// findCulprit asks what keeps the main thread of a place busy.
type findCulprit struct {
	op    *operation // that asks
	task  string
	place supervise.Place
	reply chan *RendererBusyError
}

// culprit names the tab whose script, sent by us, runs there; else the tabs that share the main thread. Where it is not
// known which thread that is, the tabs that are taken to share it are as good as their calls.
func (l *link) culprit(it findCulprit) *RendererBusyError {
	place := it.place
	place.Isolate = l.state.Isolate(place.Session)
	busy := &RendererBusyError{TargetID: string(place.Page)}
	shares := map[target.ID]bool{place.Page: true}
	for _, id := range l.state.Siblings(it.task, place) {
		shares[id] = true
		busy.Siblings = append(busy.Siblings, string(id))
	}
	for thread, holder := range l.turns {
		own := holder.task.id == it.task
		switch {
		case holder == it.op: // it may have had a turn before
		case thread == l.thread(place.Session) && !own:
			busy.Elsewhere = true
		case thread == l.thread(place.Session), own && place.Isolate == "" && shares[holder.turnAt.Page]:
			busy.Culprit, busy.CallID = string(holder.turnAt.Page), holder.leftBusy()
			busy.ending = holder.ctx.Err() != nil
		}
	}
	l.suspect(it, busy)
	return busy
}

// suspect names the tab of an action whose input may have set off what runs there, where no call is known to run.
func (l *link) suspect(it findCulprit, busy *RendererBusyError) {
	if busy.Culprit != "" || busy.Elsewhere {
		return
	}
	for _, c := range l.calls {
		if c.op == nil || c.op == it.op || !c.op.stirring.has() || l.thread(c.session) != l.thread(it.place.Session) {
			continue
		}
		if busy.Elsewhere = c.task != it.task; !busy.Elsewhere {
			busy.Culprit, busy.CallID = string(c.page), c.op.leftBusy()
			return
		}
	}
}
