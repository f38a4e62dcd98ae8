package engine

import (
	"context"
	"errors"
	"slices"
	"sync"

	"github.com/chromedp/cdproto/debugger"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/cdproto/target"

	"github.com/hermes-cdp/hermes-cdp/host/fault"
	"github.com/hermes-cdp/hermes-cdp/host/internal/cdp"
	"github.com/hermes-cdp/hermes-cdp/host/internal/schedule"
)

// terminate ends the script that runs on the main thread of a session, and reports whether the thread answers
// afterwards. One event may have several endless handlers: each is terminated. The attempts are counted, not the time,
// since on a busy machine one of them can take as long as all of them usually do.
func (l *Link) terminate(ctx context.Context, session target.SessionID, by fence) bool {
	for attempt := range terminateAttempts {
		if !l.terminateOnce(ctx, session) {
			return false
		}
		if attempt == 0 {
			l.group.evaluations.terminated()
		}
		if l.answers(ctx, session, by) {
			return true
		}
	}
	return false
}

// terminateOnce asks for the end of whatever script runs now. It is answered even while the main thread is stuck.
func (l *Link) terminateOnce(ctx context.Context, session target.SessionID) bool {
	ctx, cancel := context.WithTimeout(ctx, terminateTimeout)
	defer cancel()
	return l.command(ctx, session, runtime.CommandTerminateExecution, nil, nil) == nil
}

// terminateAll frees several sessions in parallel, so that it takes no longer than for one, and reports whether all of
// them answer afterwards.
func (l *Link) terminateAll(ctx context.Context, sessions []target.SessionID, by fence) bool {
	freed := make([]bool, len(sessions))
	var all sync.WaitGroup
	for i, session := range sessions {
		all.Go(func() { freed[i] = l.terminate(ctx, session, by) })
	}
	all.Wait()
	return !slices.Contains(freed, false)
}

// answers reports whether a main thread answers within a moment.
func (l *Link) answers(ctx context.Context, session target.SessionID, by fence) bool {
	ctx, cancel := context.WithTimeout(ctx, terminateTimeout/terminateAttempts)
	defer cancel()
	// The main thread is asked, not the terminated call: if a function is terminated during an await, nobody settles its
	// promise, and its call gets no reply.
	return answered(l.command(ctx, session, by.method, by.params, nil))
}

// answered reports whether a command got a reply, if only a refusal.
func answered(err error) bool {
	var refused *cdp.Error
	return err == nil || errors.As(err, &refused)
}

// command sends a command on a session and waits for its reply. It is for callers other than the owner of the link.
func (l *Link) command(ctx context.Context, session target.SessionID, method string, params, result any) error {
	conn := l.connection.current()
	if conn == nil {
		return fault.ErrDisconnected
	}
	return conn.Call(ctx, string(session), method, params, result)
}

// tell sends a command whose reply is not needed. Without a connection there is nothing to do: the session is gone.
func (l *Link) tell(session target.SessionID, method string, params any) {
	if conn := l.connection.current(); conn != nil {
		_, _ = conn.Send(string(session), method, params) // likewise for one that was just lost
	}
}

// An agent may enable the Debugger domain on its own session: a debugger statement then holds the page until the agent
// resumes it. If the statement belongs to a call whose time is over, nobody would resume it.

// The events of the Debugger domain that report pauses.
const (
	eventPaused  = "Debugger.paused"
	eventResumed = "Debugger.resumed"
)

// notePause tells the schedule which sessions of agents are paused. Pauses of the supervisor's sessions belong to the
// dialog bridge.
func (l *Link) notePause(m cdp.Message) {
	switch session := target.SessionID(m.SessionID); m.Method {
	case eventPaused:
		l.schedule(schedule.Paused{Session: session})
	case eventResumed:
		l.schedule(schedule.Resumed{Session: session})
	}
}

// unpause terminates the script of a call where a debugger has paused it, and reports whether the main thread answers
// afterwards.
func (op *Operation) unpause(c *Call, running schedule.Running) bool {
	l := op.task.Link
	ctx, cancel := context.WithTimeout(op.task.operations.terminating, terminateTimeout)
	defer cancel()
	on := true
	for _, session := range running.Paused {
		if l.command(ctx, session, debugger.CommandResume, &debugger.ResumeParams{TerminateOnResume: &on}, nil) != nil {
			return false
		}
	}
	l.group.evaluations.terminated()
	return l.answers(ctx, running.On, fenceOf(c.At))
}
