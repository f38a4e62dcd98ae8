package host

import (
	"fmt"

	"github.com/chromedp/cdproto/target"

	"github.com/hermes-cdp/hermes-cdp/host/internal/supervise"
)

// onBrowser sends a command on the browser's own session, and decodes its result.
func (op *operation) onBrowser(method string, params, result any) error {
	if err := op.task.link.command(op.ctx, "", method, params, result); err != nil {
		if op.ctx.Err() != nil {
			return op.cause()
		}
		return callError(err)
	}
	return nil
}

// owned tells which of some targets belong to the task.
func (op *operation) owned(ids []target.ID) map[target.ID]bool {
	l := op.task.link
	owned, _ := ask(l, func() map[target.ID]bool {
		owned := map[target.ID]bool{}
		for _, id := range ids {
			owned[id] = l.state.Owned(op.task.id, id)
		}
		return owned
	})
	return owned
}

// attach gives the agent's own session of a target.
func (op *operation) attach(place supervise.Place) (target.SessionID, error) {
	reply, err := op.task.link.request(op.ctx, func(id supervise.RequestID) supervise.Event {
		return supervise.AttachAgent{Request: id, Task: op.task.id, Place: place}
	})
	if err != nil {
		return "", err
	}
	if lost := op.task.Snapshot().Disconnected; reply.Err != nil && lost != "" {
		return "", fmt.Errorf("%w: %s", ErrDisconnected, lost)
	}
	if reply.Err != nil {
		return "", fmt.Errorf("%w: %s: %w", ErrTargetGone, place.Target, reply.Err)
	}
	return reply.Session, nil
}

// hasBegun tells whether something that may have an effect was sent.
func (op *operation) hasBegun() bool {
	begun, _ := ask(op.task.link, func() bool { return op.task.link.scheduled.Begun(op.id) })
	return begun
}
