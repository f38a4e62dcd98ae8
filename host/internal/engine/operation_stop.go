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

// stop terminates the script of a call in flight, and nothing else: no command is sent unless that script may still
// run. If the operation has sent input, the script is whatever the input set off.
func (op *Operation) stop(c *Call) error {
	out := *op.Cause()
	inputSent := op.threads.inputSent()
	out.Sent = c.HasEffect || inputSent
	switch {
	case out.Keep || op.isBlocked():
		return &out
	case !inputSent && (c.NeverTerminated || !c.HasEffect):
		return op.explainSilence(c, &out)
	}
	var sessions []target.SessionID
	if running := op.running(c); len(running.Paused) > 0 {
		out.Terminated = op.unpause(c, running)
		return &out
	} else if running.Session != "" {
		sessions = append(sessions, running.Session)
	} else if inputSent {
		sessions = op.awaitStuck(c)
		out.Handler = len(sessions) > 0
	}
	out.Terminated = len(sessions) > 0 && op.task.Link.terminateAll(op.task.operations.terminating, sessions, fenceOf(c.At))
	return &out
}

// slowAnswer is the longest time in which a healthy main thread answers.
const slowAnswer = 500 * time.Millisecond

// closingFor tells when to ask for a call whether its main thread still answers, so that this is known when the time of
// the operation is over. It is nil for a call that does more than read, and for a fence, whose caller explains its
// timeout itself.
func (op *Operation) closingFor(c *Call) <-chan struct{} {
	if c.At == nil || c.Turn == schedule.TakeTurn || c.HasEffect && !c.NeverTerminated {
		return nil
	}
	select {
	case <-op.closing: // too late for an answer
		return nil
	default:
		return op.closing
	}
}

// askThread asks the main thread of a call for an answer. It returns a channel that says whether none has come.
func (op *Operation) askThread(c *Call) <-chan bool {
	silent := make(chan bool, 1)
	op.task.operations.wait.Go(func() {
		silent <- len(op.silentFor(context.Background(), slowAnswer, []target.SessionID{c.At.Session})) > 0
	})
	return silent
}

// explainSilence turns the timeout of a call that only read something into a RendererBusyError, if the main thread did
// not answer.
func (op *Operation) explainSilence(c *Call, out *fault.StoppedError) error {
	if !errors.Is(out.Code, fault.ErrTimeout) || c.silent == nil || !<-c.silent {
		return out
	}
	found, _ := askOwner(op.task.Link, func() schedule.BusyCandidates {
		return op.task.Link.scheduled.BusyCandidates(c.ID, []supervise.ScriptTarget{*c.At})
	})
	if len(found.Sessions) == 0 || time.Since(found.Since) < slowAnswer {
		return out
	}
	return op.asBusy(c.At, out)
}

// running reports on which session the script of a call still runs, after it had time to start.
func (op *Operation) running(c *Call) schedule.Running {
	l := op.task.Link
	for {
		running, _ := askOwner(l, func() schedule.Running { return l.scheduled.Running(c.ID) })
		wait := startTimeout - time.Since(running.Since)
		if running.Session == "" || wait <= 0 {
			return running
		}
		if c.replied(op, wait) {
			return schedule.Running{}
		}
	}
}

// Cause returns why the operation ended.
func (op *Operation) Cause() *fault.StoppedError {
	var cause *fault.StoppedError
	if errors.As(context.Cause(op.ctx), &cause) {
		return cause
	}
	return fault.Stopped(fault.ErrClosed, context.Canceled)
}
