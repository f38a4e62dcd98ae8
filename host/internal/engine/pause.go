package engine

import (
	"context"

	"github.com/chromedp/cdproto/debugger"
	"github.com/chromedp/cdproto/target"

	"github.com/hermes-cdp/hermes-cdp/host/internal/cdp"
	"github.com/hermes-cdp/hermes-cdp/host/internal/schedule"
)

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
