package host

import (
	"context"

	"github.com/hermes-cdp/hermes-cdp/host/fault"
	"github.com/hermes-cdp/hermes-cdp/host/internal/engine"
)

// WatchNetwork begins to record the requests of the task's tabs, their frames and workers, and does nothing if that has
// begun. It does not wait: whatever the task does after it is recorded. It costs the browser some work for each
// request, and memory for the bodies, so nothing is recorded before.
func (t *Task) WatchNetwork() { t.engine.WatchNetwork() }

// Requests returns the recorded requests: the last 1,000, or fewer if they take more than 4 MiB.
func (t *Task) Requests() Requests { return t.engine.Requests() }

// RequestBodies asks the browser for the bodies of a recorded request, by its number. The browser forgets them when the
// page is left, when the connection is lost, and when others need their place; Missing then says so. Errors:
// ErrBadArguments for an unknown number, and those of [Tab.Evaluate].
func (t *Task) RequestBodies(ctx context.Context, number uint64) (_ Bodies, err error) {
	defer fault.During("request_bodies", &err)
	value, err := t.engine.Operate(ctx, func(op *engine.Operation) (any, error) { return op.Bodies(number) })
	if err != nil {
		return Bodies{}, err
	}
	return value.(Bodies), nil
}
