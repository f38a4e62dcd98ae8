package engine

import (
	"fmt"

	"github.com/chromedp/cdproto/target"

	"github.com/hermes-cdp/hermes-cdp/host/fault"
	"github.com/hermes-cdp/hermes-cdp/host/internal/supervise"
)

// OnBrowser sends a command on the browser's own session and decodes its result.
func (op *Operation) OnBrowser(method string, params, result any) error {
	if err := op.task.Link.command(op.ctx, "", method, params, result); err != nil {
		if op.ctx.Err() != nil {
			return op.Cause()
		}
		return callError(err)
	}
	return nil
}

// Owned reports which of the given targets belong to the task.
func (op *Operation) Owned(ids []target.ID) map[target.ID]bool {
	l := op.task.Link
	owned, _ := askOwner(l, func() map[target.ID]bool {
		owned := map[target.ID]bool{}
		for _, id := range ids {
			owned[id] = l.state.Owned(op.task.id, id)
		}
		return owned
	})
	return owned
}

// AttachAgent returns the agent's own session of a target, and attaches it if there is none.
func (op *Operation) AttachAgent(place supervise.ScriptTarget) (target.SessionID, error) {
	reply, err := op.task.Link.request(op.ctx, func(id supervise.RequestID) supervise.Event {
		return supervise.AttachAgent{Request: id, Task: op.task.id, Place: place}
	})
	if err != nil {
		return "", err
	}
	if lost := op.task.Snapshot().Disconnected; reply.Err != nil && lost != "" {
		return "", fmt.Errorf("%w: %s", fault.ErrDisconnected, lost)
	}
	if reply.Err != nil {
		return "", fmt.Errorf("%w: %s: %w", fault.ErrTargetGone, place.Target, reply.Err)
	}
	return reply.Session, nil
}

// HasBegun reports whether anything that may have an effect was sent.
func (op *Operation) HasBegun() bool {
	begun, _ := askOwner(op.task.Link, func() bool { return op.task.Link.scheduled.Begun(op.id) })
	return begun
}
