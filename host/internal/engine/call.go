package engine

import (
	"context"
	"errors"
	"fmt"
	"time"

	cdproto "github.com/chromedp/cdproto/cdp"
	cdppage "github.com/chromedp/cdproto/page"

	"github.com/hermes-cdp/hermes-cdp/host/fault"
	"github.com/hermes-cdp/hermes-cdp/host/internal/cdp"
	"github.com/hermes-cdp/hermes-cdp/host/internal/schedule"
	"github.com/hermes-cdp/hermes-cdp/host/internal/span"
	"github.com/hermes-cdp/hermes-cdp/host/view"
)

// Call is a command whose reply somebody waits for. Package schedule decides when it is sent and how the wait ends.
type Call struct {
	schedule.Call
	Method string
	Params any
	Next   *Command   // is sent right after it, on the same session, and its reply is not waited for; nil: nothing
	op     *Operation // nil: the call belongs to no operation

	sentAt time.Time        // only set for a call of an operation
	loader cdproto.LoaderID // of the document that was in the place when the fence was sent
	answer callReply        // the browser's reply; the schedule may hold it back
	reply  chan callReply
	silent <-chan bool // says that its main thread did not answer, once the operation is about to end; nil: not asked
}

// Command is a command of the protocol.
type Command struct {
	Method string
	Params any
}

type callReply struct {
	result []byte
	err    error
}

// abandon is put into the inbox by a caller that stops waiting.
type abandon struct{ call schedule.CallID }

// Do sends a command to a page of the task and decodes its result.
func (t *Task) Do(ctx context.Context, c *Call, result any) (err error) {
	ctx, s := span.Begin(ctx, c.Method)
	defer func() { s.End(err) }()
	if t.closed.Load() {
		return fault.ErrClosed
	}
	t.Link.prepare(c, t.id)
	t.Link.inbox.put(c)
	select {
	case r := <-c.reply:
		return c.decodeResult(r, result)
	case <-ctx.Done():
		t.Link.inbox.put(abandon{c.ID})
		return context.Cause(ctx)
	case <-t.Link.done:
		return fault.ErrClosed
	}
}

// decodeResult decodes the reply to a call; a nil result ignores it.
func (c *Call) decodeResult(r callReply, result any) error {
	if r.err != nil {
		return replyError(c.Method, r.err)
	}
	if result != nil {
		return cdp.Unmarshal(r.result, result)
	}
	return nil
}

// replyError is the error of a call. It names the command only if the browser refused it: otherwise the text would
// mention a command that the caller never asked for.
func replyError(method string, err error) error {
	err = callError(err)
	var refused *fault.ProtocolError
	if errors.As(err, &refused) {
		return fmt.Errorf("%s: %w", method, err)
	}
	return err
}

func callError(err error) error {
	var protocol *cdp.Error
	switch {
	case errors.As(err, &protocol):
		return &fault.ProtocolError{Code: protocol.Code, Message: protocol.Message, Data: protocol.Data}
	case errors.Is(err, cdp.ErrTooLarge):
		return fmt.Errorf("%w: %w", fault.ErrTooLarge, err)
	case errors.Is(err, cdp.ErrConnectionLost) && !errors.Is(err, fault.ErrDisconnected):
		return fmt.Errorf("%w: %w", fault.ErrDisconnected, err)
	}
	return err
}

// prepare sets what the schedule identifies a call by.
func (l *Link) prepare(c *Call, task string) {
	c.ID, c.Task, c.reply = schedule.CallID(l.ids.Add(1)), task, make(chan callReply, 1)
}

// schedule applies an event to the schedule and carries out the effects.
func (l *Link) schedule(e schedule.Event) { l.carryOut(l.scheduled.Apply(time.Now(), e)) }

// carryOut carries out the effects of the schedule, in order. Unlike [Link.perform] it may call what applies the next
// event, [Link.schedule]: the schedule returns a new slice each time.
func (l *Link) carryOut(effects []schedule.Effect) {
	for _, effect := range effects {
		switch e := effect.(type) {
		case schedule.SendCall:
			l.sendCall(e)
		case schedule.Finish:
			l.finish(e)
		case schedule.Block:
			if op := l.operations[e.Op]; op != nil {
				op.block(&view.BlockedError{Dialogs: view.DialogsOf(e.Dialogs)})
			}
		case schedule.Unblock:
			if op := l.operations[e.Op]; op != nil {
				op.unblock()
			}
		case schedule.Found:
			l.found(e)
		}
	}
}

// begin registers a call and hands it to the schedule.
func (l *Link) begin(c *Call) {
	l.calls[c.ID] = c
	if c.op != nil {
		l.operations[c.Op] = c.op
	}
	l.schedule(schedule.Begin{Call: c.Call})
}

// sendCall sends the command of a call, or a fence that the schedule asks for itself.
func (l *Link) sendCall(e schedule.SendCall) {
	c := l.calls[e.Call.ID]
	own := c == nil
	if own {
		f := fenceOf(e.Call.At)
		c = &Call{Method: f.method, Params: f.params}
	}
	id, err := l.conn.Send(string(e.Session), c.Method, c.Params)
	switch {
	case errors.Is(err, cdp.ErrConnectionLost):
		l.schedule(schedule.Unsent{Call: e.Call.ID}) // the loss itself is reported right after this
		return
	case err != nil:
		l.abandon(e.Call.ID)
		if !own {
			l.tellCaller(c, callReply{err: err})
		}
		return
	}
	l.commands[id], l.sentAs[e.Call.ID] = e.Call.ID, id
	if c.Next != nil {
		l.tell(e.Session, c.Next.Method, c.Next.Params)
	}
	if c.op == nil {
		return
	}
	c.sentAt = time.Now()
	if c.HasEffect {
		c.op.noteSent(c)
	}
	if c.Turn == schedule.TakeTurn {
		c.loader = l.state.RootLoader(c.At.Session)
	}
}

// callReplied takes the reply of the browser to a call.
func (l *Link) callReplied(id schedule.CallID, m cdp.Message) {
	e := schedule.Replied{Call: id, Refused: m.Err != nil}
	if c := l.calls[id]; c != nil {
		c.answer = callReply{m.Result, m.Err}
		switch {
		case c.Turn == schedule.TakeTurn:
			e.Refused = !l.fencePassed(c, m)
		case c.Commits && m.Err == nil:
			var r cdppage.NavigateResult
			// A blocked request is followed by the document of the browser's error page.
			if cdp.Unmarshal(m.Result, &r) == nil && (r.ErrorText == "" || r.ErrorText == ErrorBlockedByClient) {
				e.Loader = r.LoaderID
			}
		}
	}
	l.schedule(e)
}

// finish tells a caller how its call ended.
func (l *Link) finish(e schedule.Finish) {
	c := l.calls[e.Call]
	l.forgetCall(e.Call)
	if c == nil {
		return
	}
	if e.End == schedule.EndReplied {
		l.tellCaller(c, c.answer)
		return
	}
	l.tellCaller(c, callReply{err: l.endError(c, e)})
}

func (l *Link) tellCaller(c *Call, r callReply) {
	l.afterPublish = append(l.afterPublish, func() { c.reply <- r })
}

// abandon forgets a call whose caller stopped waiting.
func (l *Link) abandon(id schedule.CallID) {
	l.forgetCall(id)
	l.schedule(schedule.Abandon{Call: id})
}

func (l *Link) forgetCall(id schedule.CallID) {
	delete(l.calls, id)
	delete(l.commands, l.sentAs[id])
	delete(l.sentAs, id)
}

// endError is the error of a call that ended without a reply.
func (l *Link) endError(c *Call, e schedule.Finish) error {
	switch e.End {
	case schedule.EndBrowserGone:
		return l.GoneError(e.Reason)
	case schedule.EndDisconnected:
		return fmt.Errorf("%w, reconnecting: %s", fault.ErrDisconnected, e.Reason)
	case schedule.EndNoTab:
		return fmt.Errorf("%w: the task has no tab: a navigation opens one", fault.ErrTargetGone)
	case schedule.EndUnknownTab:
		return fmt.Errorf("%w: %s is not a tab of the task", fault.ErrUnknownTarget, c.Tab)
	case schedule.EndTabGone:
		return fault.ErrTargetGone
	case schedule.EndFrameGone:
		return fault.ErrFrameGone
	case schedule.EndCrashed:
		return fault.ErrTargetCrashed
	default:
		return &view.BlockedError{Dialogs: view.DialogsOf(e.Dialogs)}
	}
}

// ErrorBlockedByClient is Chromium's error for a request that the Fetch domain failed with this reason. One of the
// user's extensions may also have caused it.
const ErrorBlockedByClient = "net::ERR_BLOCKED_BY_CLIENT"

// DeniedErrors are Chromium's errors for a document that a plugin denied or aborted.
var DeniedErrors = []string{ErrorBlockedByClient, "net::ERR_ABORTED"}
