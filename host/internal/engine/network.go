package engine

import (
	"context"
	"errors"
	"time"

	cdproto "github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/target"

	"github.com/hermes-cdp/hermes-cdp/host/fault"
	"github.com/hermes-cdp/hermes-cdp/host/internal/cdp"
	"github.com/hermes-cdp/hermes-cdp/host/internal/schedule"
	"github.com/hermes-cdp/hermes-cdp/host/internal/supervise"
	"github.com/hermes-cdp/hermes-cdp/host/route"
	"github.com/hermes-cdp/hermes-cdp/host/view"
)

// noteNetwork passes an event of the network to the log of the task whose session reports it.
func (l *Link) noteNetwork(m cdp.Message) {
	id, from := l.state.RequestsOf(target.SessionID(m.SessionID))
	t := l.tasks[id]
	if t == nil {
		return // an agent's own session reports them
	}
	if err := t.network.Hear(from, m.Method, m.Params); err != nil {
		l.noteUndecodable(m, err)
		return
	}
	l.decoded++
}

// noteLeft tells the log of the task whose session reports an event that it may end a document.
func (l *Link) noteLeft(session target.SessionID, event supervise.Event) {
	switch e := event.(type) {
	case supervise.FrameNavigated, supervise.FrameDetached:
	case supervise.Detached:
		session = e.Session
	default:
		return
	}
	id, _ := l.state.RequestsOf(session)
	if t := l.tasks[id]; t != nil {
		t.network.Leave(event)
	}
}

// noteBlocked adds to the record of the task's requests who blocked one, and why.
func (l *Link) noteBlocked(e supervise.NoteBlocked) {
	if t := l.tasks[e.Task]; t != nil {
		t.network.Block(e.Blocked)
	}
}

// WatchNetwork begins to record the requests of the task, unless it is done already. What is sent to a page after this
// call is recorded.
func (t *Task) WatchNetwork() { t.StartRequests() }

// StartRequests is WatchNetwork, and reports whether it has begun with it.
func (t *Task) StartRequests() (first bool) {
	if first = t.network.Watch(); first {
		t.Post(supervise.WatchNetwork{Task: t.id})
	}
	return first
}

// Requests returns the recorded requests.
func (t *Task) Requests() view.Requests {
	_, missed := t.Link.inbox.droppedEvents()
	r := t.network.Requests()
	r.Missed = missed
	return r
}

// LastRequest returns the number of the latest recorded request; 0: there was none.
func (t *Task) LastRequest() uint64 { return t.network.Last() }

// RequestSince returns the first request of a tab after a number that matches: one that has ended, or else the first
// that has not.
func (t *Task) RequestSince(after uint64, tab string, match func(view.Request) bool) (view.Request, bool) {
	return t.network.Since(after, tab, match)
}

// Awaited returns what a tab has asked for since some time that may change its page and has not ended, the latest
// first.
func (t *Task) Awaited(tab string, since time.Time) []view.Request {
	return t.network.Awaited(tab, since)
}

// Bodies asks the browser for the bodies of a request. The session that reported it has them, until its page is left or
// newer ones displace them.
func (op *Operation) Bodies(number uint64) (view.Bodies, error) {
	x, err := op.task.network.Find(number)
	if err != nil {
		return view.Bodies{}, err
	}
	place, ok := askOwner(op.task.Link, func() supervise.ScriptTarget {
		_, place := op.task.Link.state.RequestsOf(x.Session)
		return place
	})
	if !ok || place.Session == "" {
		return view.Bodies{Missing: "its page, frame or worker is gone"}, nil
	}
	if x.FrameID != "" {
		if _, err := op.Locate(supervise.FrameSelector{Frame: cdproto.FrameID(x.FrameID)}); errors.Is(err, fault.ErrFrameFiltered) {
			return view.Bodies{}, err
		}
	}
	var b view.Bodies
	if x.HasPostData {
		var post network.GetRequestPostDataResult
		if b.Missing, err = op.body(place, network.CommandGetRequestPostData, &network.GetRequestPostDataParams{RequestID: x.ID}, &post); err != nil {
			return b, err
		}
		b.Request = post.PostData
	}
	switch {
	case x.Redirection != "" || !x.Ended: // a redirect has none that the browser keeps
		return b, nil
	case x.Failure != "" && x.Status == 0:
		return b, nil
	}
	var body network.GetResponseBodyResult
	if b.Missing, err = op.body(place, network.CommandGetResponseBody, &network.GetResponseBodyParams{RequestID: x.ID}, &body); err != nil {
		return b, err
	}
	b.Response = body.Body
	return b, nil
}

// body asks for one body. That the browser refuses is no error, but the reason why it is missing.
func (op *Operation) body(place supervise.ScriptTarget, method string, params, result any) (missing string, err error) {
	err = op.Do(&Call{Method: method, Params: params, Call: schedule.Call{At: &place}}, result)
	var refused *fault.ProtocolError
	if errors.As(err, &refused) {
		return "the browser does not have it: " + refused.Message, nil
	}
	return "", err
}

// Route adds a rule for the requests of the task and returns its id, once it holds.
func (t *Task) Route(ctx context.Context, r route.Rule) (string, error) {
	reply, err := t.Ask(ctx, func(id supervise.RequestID) supervise.Event {
		return supervise.AddRoute{Request: id, Task: t.id, Rule: r}
	})
	return reply.Route, err
}

// Unroute removes a rule or, with an empty id, all of them.
func (t *Task) Unroute(ctx context.Context, route string) error {
	_, err := t.Ask(ctx, func(id supervise.RequestID) supervise.Event {
		return supervise.RemoveRoute{Request: id, Task: t.id, Route: route}
	})
	return err
}

// Routes lists the rules, newest first.
func (t *Task) Routes() []route.Rule {
	list, _ := askOwner(t.Link, func() []route.Rule { return t.Link.state.Routes(t.id) })
	return list
}
