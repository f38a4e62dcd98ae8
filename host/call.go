package host

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	cdproto "github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/target"

	"github.com/hermes-cdp/hermes-cdp/host/internal/cdp"
	"github.com/hermes-cdp/hermes-cdp/host/internal/supervise"
)

// call is a command that somebody waits for. It ends at once when a dialog holds its tab, when the tab crashes or goes,
// and when the connection is lost: Chromium does not reply in these cases, or not before the dialog is answered.
type call struct {
	task   string
	target string // the page; empty: the one in use
	method string
	params any

	// Of an operation only:
	op        *operation
	at        *supervise.Place // instead of task and target: exactly this place
	on        target.SessionID // the agent's own session there; empty: the supervisor's
	onBrowser bool             // it is sent on the browser's own session, and waits as one of that place does
	begins    bool             // once it is sent, something may have been done: a dialog then blocks the operation, and does not end it
	stirs     bool             // it may make the page's handlers run, on other main threads than its session's
	harmless  bool             // its script is ours, calls none of the page's and ends at once: it is never terminated
	turn      turnStep

	// awaitsCommit is for Page.navigate, to which Chromium replies before the new document is there: an evaluate sent upon
	// that reply could still run in the old one.
	awaitsCommit bool
	revives      bool             // it is part of what revives a crashed tab, so it is sent to one
	before       cdproto.LoaderID // the document at the reply
	result       []byte           // the reply that is kept back

	id      int64     // of the command, once it is sent
	page    target.ID // likewise
	session target.SessionID
	loader  cdproto.LoaderID // of the document in the place when a fence was sent
	sentAt  time.Time        // of a call of an operation
	reply   chan callReply

	abandoned bool
}

type callReply struct {
	result []byte
	err    error
}

// abandon is put by a caller that waits no longer.
type abandon struct{ call *call }

// finish ends a call, once.
func (l *link) finish(c *call, result []byte, err error) {
	l.later = append(l.later, func() { c.reply <- callReply{result, err} })
}

// do sends a command to a page of the task and decodes its result.
func (t *Task) do(ctx context.Context, c *call, result any) error {
	if t.closed.Load() {
		return ErrClosed
	}
	c.task, c.reply = t.id, make(chan callReply, 1)
	t.link.inbox.put(c)
	select {
	case r := <-c.reply:
		if r.err != nil {
			return replyError(c.method, r.err)
		}
		if result != nil {
			return unmarshal(r.result, result)
		}
		return nil
	case <-ctx.Done():
		t.link.inbox.put(abandon{c})
		return context.Cause(ctx)
	case <-t.link.done:
		return ErrClosed
	}
}

// replyError is the error of a call. Only where the browser refused the command does it name that: elsewhere it would say
// what we asked the browser for, to those who asked for something else.
func replyError(method string, err error) error {
	err = callError(err)
	var refused *ProtocolError
	if errors.As(err, &refused) {
		return fmt.Errorf("%s: %w", method, err)
	}
	return err
}

func callError(err error) error {
	var protocol *cdp.Error
	switch {
	case errors.As(err, &protocol):
		return &ProtocolError{Code: protocol.Code, Message: protocol.Message, Data: protocol.Data}
	case errors.Is(err, cdp.ErrTooLarge):
		return fmt.Errorf("%w: %w", ErrTooLarge, err)
	case errors.Is(err, cdp.ErrConnectionLost) && !errors.Is(err, ErrDisconnected):
		return fmt.Errorf("%w: %w", ErrDisconnected, err)
	}
	return err
}

func commandError(err error) *supervise.CommandError {
	var protocol *cdp.Error
	if errors.As(err, &protocol) {
		return &supervise.CommandError{Code: protocol.Code, Message: protocol.Message}
	}
	return &supervise.CommandError{Message: err.Error()}
}

// startCall sends a call, unless it could not be answered now.
func (l *link) startCall(c *call) {
	if reason := l.state.Lost(c.task); reason != "" {
		l.finish(c, nil, fmt.Errorf("%w: %s", ErrBrowserGone, reason))
		return
	}
	if l.state.Down() != "" {
		l.held = append(l.held, c) // nothing was sent, so it can wait for the connection
		return
	}
	page, session, err := l.destination(c)
	if err != nil {
		l.finish(c, nil, err)
		return
	}
	if !c.revives && l.state.Crashed(page) {
		// It would not be answered before a navigation revives the tab.
		l.finish(c, nil, ErrTargetCrashed)
		return
	}
	if blocked := l.blocking(c.task, page); blocked != nil {
		if !c.patient() {
			l.finish(c, nil, blocked)
			return
		}
		c.page = page
		l.block(c, blocked)
		l.held = append(l.held, c)
		return
	}
	if l.state.Busy(c.task, page) || c.turn == takesTurn && l.taken(c) {
		l.held = append(l.held, c)
		return
	}
	id, err := l.conn.Send(string(session), c.method, c.params)
	if errors.Is(err, cdp.ErrConnectionLost) {
		l.held = append(l.held, c) // the loss is about to be told, and nothing was sent
		return
	}
	if err != nil {
		l.finish(c, nil, err)
		return
	}
	c.id, c.page, c.session = id, page, session
	l.calls[id] = c
	l.sentForOperation(c)
}

// destination finds the page and the session that a call goes to.
func (l *link) destination(c *call) (target.ID, target.SessionID, error) {
	if c.at != nil {
		session := cmp.Or(c.on, c.at.Session)
		if !l.state.Attached(c.task, session) {
			return "", "", ErrFrameGone
		}
		if c.onBrowser {
			session = ""
		}
		return c.at.Page, session, nil
	}
	page, session, ok := l.state.Page(c.task, target.ID(c.target))
	switch {
	case ok:
		return page, session, nil
	case c.target == "":
		return "", "", fmt.Errorf("%w: the task has no tab", ErrTargetGone)
	}
	return "", "", fmt.Errorf("%w: %s is not a tab of the task", ErrUnknownTarget, c.target)
}

// answered takes the browser's reply to a call.
func (l *link) answered(c *call, m cdp.Message) {
	switch c.turn {
	case takesTurn:
		l.fenced(c, m)
		return
	case endsTurn:
		l.endTurn(c.op)
	case noTurn, followedByEnd:
	}
	if c.awaitsCommit && m.Err == nil {
		var r page.NavigateResult
		document := l.state.Document(c.task, c.page)
		// A request that was blocked is followed by the document of the browser's error page.
		if unmarshal(m.Result, &r) == nil && (r.ErrorText == "" || r.ErrorText == errBlockedByClient) && r.LoaderID != "" && r.LoaderID != document {
			c.before, c.result = document, m.Result
			l.committing = append(l.committing, c)
			return
		}
	}
	delete(l.calls, c.id)
	l.finish(c, m.Result, m.Err)
}

// finishCommitted ends the navigations whose document is there, or another one that took its place.
func (l *link) finishCommitted() {
	l.committing = slices.DeleteFunc(l.committing, func(c *call) bool {
		switch {
		case l.calls[c.id] != c: // interrupted or abandoned
			return true
		case l.state.Document(c.task, c.page) == c.before:
			return false
		}
		delete(l.calls, c.id)
		l.finish(c, c.result, nil)
		return true
	})
}

// startHeld tries again what had to wait.
func (l *link) startHeld() {
	held := l.held
	l.held = nil
	for _, c := range held {
		if !c.abandoned {
			l.startCall(c)
		}
	}
}

// blocking returns a [*BlockedError] when a dialog that waits for an agent holds a page, else nil.
func (l *link) blocking(task string, page target.ID) *BlockedError {
	holding := l.state.Holding(task, page)
	if len(holding) == 0 {
		return nil
	}
	return &BlockedError{Dialogs: publicDialogs(holding)}
}

// interrupt ends the calls that will not be answered.
func (l *link) interrupt(e supervise.Interrupt) {
	l.finishCommitted()
	for id, c := range l.calls {
		if c.page != e.Page || e.Session != "" && c.session != e.Session {
			continue
		}
		if e.Reason == supervise.InterruptDialog && c.patient() {
			l.block(c, l.blocking(e.Task, e.Page))
			continue
		}
		delete(l.calls, id)
		l.finish(c, nil, l.interruption(c, e))
	}
}

func (l *link) interruption(c *call, e supervise.Interrupt) error {
	switch e.Reason {
	case supervise.InterruptCrashed:
		return ErrTargetCrashed
	case supervise.InterruptGone:
		if c.at != nil && c.at.Target != c.at.Page {
			return ErrFrameGone
		}
		return ErrTargetGone
	case supervise.InterruptDisconnected:
		if reason := l.state.Lost(e.Task); reason != "" {
			return fmt.Errorf("%w: %s", ErrBrowserGone, reason)
		}
		return fmt.Errorf("%w, reconnecting: %s", ErrDisconnected, l.state.Down())
	default:
		return l.blocking(e.Task, e.Page)
	}
}
