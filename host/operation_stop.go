package host

import (
	"context"
	"errors"
	"time"

	"github.com/chromedp/cdproto/target"

	"github.com/hermes-cdp/hermes-cdp/host/internal/supervise"
)

// stop ends the script of a call in flight, and only that: nothing is sent unless it may still run. Where the operation has
// sent input, the script is whatever came of that.
func (op *operation) stop(c *call) error {
	out := *op.cause()
	stirred := op.stirring.has()
	out.Sent = c.begins || stirred
	switch {
	case out.keep || op.isBlocked():
		return &out
	case !stirred && (c.harmless || !c.begins):
		return op.unanswered(c, &out)
	}
	var sessions []target.SessionID
	if running := op.running(c); len(running.paused) > 0 {
		out.Terminated = op.unpause(c, running.paused)
		return &out
	} else if running.session != "" {
		sessions = append(sessions, running.session)
	} else if stirred {
		sessions = op.stuck(c)
		out.Handler = len(sessions) > 0
	}
	out.Terminated = len(sessions) > 0 && op.task.link.freeAll(op.task.operations.freeing, sessions, fenceOf(c.at))
	return &out
}

// sluggish is how long a main thread that is well may take for an answer.
const sluggish = 500 * time.Millisecond

// unanswered says of a call that only looked whether it was the main thread that did not answer.
func (op *operation) unanswered(c *call, out *StoppedError) error {
	if !errors.Is(out.Code, ErrTimeout) || c.at == nil || c.turn == takesTurn {
		return out // of a fence busy tells
	}
	found := op.threads(findStuck{call: c, places: []supervise.Place{*c.at}, reply: make(chan stuckThreads, 1)})
	if len(found.sessions) == 0 || time.Since(found.since) < sluggish || len(op.silent(found.sessions)) == 0 {
		return out
	}
	return op.busy(c.at, out)
}

// running tells on which session the script of a call still runs, after it had time to begin.
func (op *operation) running(c *call) runningCall {
	l := op.task.link
	for {
		find := findRunning{c, make(chan runningCall, 1)}
		l.inbox.put(find)
		var running runningCall
		select {
		case running = <-find.reply:
		case <-l.done:
		}
		wait := startTimeout - time.Since(running.since)
		if running.session == "" || wait <= 0 {
			return running
		}
		if c.replied(op, wait) {
			return runningCall{}
		}
	}
}

func (op *operation) cause() *StoppedError {
	var cause *StoppedError
	if errors.As(context.Cause(op.ctx), &cause) {
		return cause
	}
	return stopped(ErrClosed, context.Canceled)
}
