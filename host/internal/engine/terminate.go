package engine

import (
	"context"
	"errors"
	"slices"
	"sync"

	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/cdproto/target"
	"github.com/hermes-cdp/hermes-cdp/host/fault"
	"github.com/hermes-cdp/hermes-cdp/host/internal/cdp"
)

// terminate ends the script that runs on the main thread of a session, and tells whether the thread answers then. One event may
// have several handlers that do not end: each is ended.
func (l *Link) terminate(ctx context.Context, session target.SessionID, by fence) bool {
	ctx, cancel := context.WithTimeout(ctx, terminateTimeout)
	defer cancel()
	for ended := false; ctx.Err() == nil; {
		if l.command(ctx, session, runtime.CommandTerminateExecution, nil, nil) != nil {
			return false
		}
		if !ended {
			l.group.evaluations.terminated()
			ended = true
		}
		if l.answers(ctx, session, by) {
			return true
		}
	}
	return false
}

// terminateAll frees several sessions at once, so that it takes no longer than with one, and tells whether all of them answer then.
func (l *Link) terminateAll(ctx context.Context, sessions []target.SessionID, by fence) bool {
	freed := make([]bool, len(sessions))
	var all sync.WaitGroup
	for i, session := range sessions {
		all.Go(func() { freed[i] = l.terminate(ctx, session, by) })
	}
	all.Wait()
	return !slices.Contains(freed, false)
}

// answers tells whether a main thread answers within a moment.
func (l *Link) answers(ctx context.Context, session target.SessionID, by fence) bool {
	ctx, cancel := context.WithTimeout(ctx, terminateTimeout/4)
	defer cancel()
	// A function that was ended in the middle of its await has a promise that nobody settles: its call gets no reply. So it
	// is the main thread that is asked.
	return answered(l.command(ctx, session, by.method, by.params, nil))
}

// answered tells whether a command was, if only with a refusal.
func answered(err error) bool {
	var refused *cdp.Error
	return err == nil || errors.As(err, &refused)
}

// command sends a command on a session, for those who do not own the link, and waits for its reply.
func (l *Link) command(ctx context.Context, session target.SessionID, method string, params, result any) error {
	conn := l.connection.current()
	if conn == nil {
		return fault.ErrDisconnected
	}
	return conn.Call(ctx, string(session), method, params, result)
}

// tell sends a command for whose reply nobody waits. What can not be told any more needs not be: the session is gone.
func (l *Link) tell(session target.SessionID, method string, params any) {
	if conn := l.connection.current(); conn != nil {
		_, _ = conn.Send(string(session), method, params) // as said
	}
}
