package host

import (
	"context"
	"time"

	"github.com/chromedp/cdproto/debugger"
	"github.com/chromedp/cdproto/target"

	"github.com/hermes-cdp/hermes-cdp/host/internal/cdp"
)

// An agent may switch the Debugger domain on, on its own session: a debugger statement then holds the page until the agent
// resumes it. Where that is a statement of a call of ours whose time is over, nobody would.

// The events of the Debugger domain that tell of pauses.
const (
	eventPaused  = "Debugger.paused"
	eventResumed = "Debugger.resumed"
)

// notePause keeps which sessions of agents are paused. Those of the supervisor are the dialog bridge's.
func (l *link) notePause(m cdp.Message) {
	session := target.SessionID(m.SessionID)
	switch m.Method {
	case eventPaused:
		if task, _ := l.state.AgentPage(session); task != "" {
			l.paused[session] = time.Now()
		}
	case eventResumed:
		delete(l.paused, session)
	}
}

// pausedBy are the sessions of the agent in the tab of a call that were paused after it had been sent.
func (l *link) pausedBy(c *call) (list []target.SessionID) {
	if !c.begins || c.harmless {
		return nil
	}
	for session, since := range l.paused {
		switch task, page := l.state.AgentPage(session); {
		case task == "":
			delete(l.paused, session)
		case task == c.task && page == c.page && since.After(c.sentAt):
			list = append(list, session)
		}
	}
	return list
}

// unpause ends what a call runs where a debugger has paused it, and tells whether the main thread answers then.
func (op *operation) unpause(c *call, sessions []target.SessionID) bool {
	l := op.task.link
	ctx, cancel := context.WithTimeout(op.task.operations.freeing, terminateTimeout)
	defer cancel()
	on := true
	for _, session := range sessions {
		if l.command(ctx, session, debugger.CommandResume, &debugger.ResumeParams{TerminateOnResume: &on}, nil) != nil {
			return false
		}
	}
	l.host.evaluations.terminated()
	return l.answers(ctx, c.session, fenceOf(c.at))
}
