package engine

import (
	"context"

	"github.com/chromedp/cdproto/debugger"
	"github.com/chromedp/cdproto/target"

	"github.com/hermes-cdp/hermes-cdp/host/internal/cdp"
	"github.com/hermes-cdp/hermes-cdp/host/internal/schedule"
)

// An agent may switch the Debugger domain on, on its own session: a debugger statement then holds the page until the agent
// resumes it. Where that is a statement of a call of ours whose time is over, nobody would.

// The events of the Debugger domain that tell of pauses.
const (
	eventPaused  = "Debugger.paused"
	eventResumed = "Debugger.resumed"
)

// notePause tells the schedule which sessions of agents are paused. Those of the supervisor are the dialog bridge's.
func (l *Link) notePause(m cdp.Message) {
	switch session := target.SessionID(m.SessionID); m.Method {
	case eventPaused:
		l.schedule(schedule.Paused{Session: session})
	case eventResumed:
		l.schedule(schedule.Resumed{Session: session})
	}
}

// unpause ends what a call runs where a debugger has paused it, and tells whether the main thread answers then.
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
