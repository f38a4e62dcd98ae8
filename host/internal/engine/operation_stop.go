package engine

import (
	"context"
	"errors"
	"time"

	"github.com/chromedp/cdproto/target"
	"github.com/hermes-cdp/hermes-cdp/host/fault"
	"github.com/hermes-cdp/hermes-cdp/host/internal/schedule"
	"github.com/hermes-cdp/hermes-cdp/host/internal/supervise"
)

// stop ends the script of a call in flight, and only that: nothing is sent unless it may still run. Where the operation has
// sent input, the script is whatever came of that.
func (op *Operation) stop(c *Call) error {
	out := *op.Cause()
	stirred := op.threads.inputSent()
	out.Sent = c.Begins || stirred
	switch {
	case out.Keep || op.isBlocked():
		return &out
	case !stirred && (c.Harmless || !c.Begins):
		return op.unanswered(c, &out)
	}
	var sessions []target.SessionID
	if running := op.running(c); len(running.Paused) > 0 {
		out.Terminated = op.unpause(c, running)
		return &out
	} else if running.Session != "" {
		sessions = append(sessions, running.Session)
	} else if stirred {
		sessions = op.stuck(c)
		out.Handler = len(sessions) > 0
	}
	out.Terminated = len(sessions) > 0 && op.task.Link.terminateAll(op.task.operations.terminating, sessions, fenceOf(c.At))
	return &out
}

// sluggish is how long a main thread that is well may take for an answer.
const sluggish = 500 * time.Millisecond

// unanswered says of a call that only looked whether it was the main thread that did not answer.
func (op *Operation) unanswered(c *Call, out *fault.StoppedError) error {
	if !errors.Is(out.Code, fault.ErrTimeout) || c.At == nil || c.Turn == schedule.TakesTurn {
		return out // of a fence busy tells
	}
	found, _ := ask(op.task.Link, func() schedule.Suspects {
		return op.task.Link.scheduled.Suspects(c.ID, []supervise.Place{*c.At})
	})
	if len(found.Sessions) == 0 || time.Since(found.Since) < sluggish || len(op.silent(found.Sessions)) == 0 {
		return out
	}
	return op.busy(c.At, out)
}

// running tells on which session the script of a call still runs, after it had time to begin.
func (op *Operation) running(c *Call) schedule.Running {
	l := op.task.Link
	for {
		running, _ := ask(l, func() schedule.Running { return l.scheduled.Running(c.ID) })
		wait := startTimeout - time.Since(running.Since)
		if running.Session == "" || wait <= 0 {
			return running
		}
		if c.replied(op, wait) {
			return schedule.Running{}
		}
	}
}

func (op *Operation) Cause() *fault.StoppedError {
	var cause *fault.StoppedError
	if errors.As(context.Cause(op.ctx), &cause) {
		return cause
	}
	return fault.Stopped(fault.ErrClosed, context.Canceled)
}
