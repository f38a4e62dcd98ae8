package control

import (
	"context"
	"fmt"

	"github.com/hermes-cdp/hermes-cdp/host"
)

// eventBuffer is how many events can wait for a reader before some are lost.
const eventBuffer = 1024

// EventDropped tells a reader that is too slow how many events it has missed so far.
const EventDropped host.EventKind = "events_dropped"

// Events implements [API].
func (l *Local) Events(ctx context.Context, task string, begun func(), each func(host.Event) error) error {
	t, err := l.task(ctx, task)
	if err != nil {
		return err
	}
	subscription := t.Events(eventBuffer)
	defer subscription.Close()
	if begun != nil {
		begun()
	}
	var dropped uint64
	for {
		select {
		case e, open := <-subscription.C:
			if !open {
				return nil
			}
			if n := subscription.Dropped(); n > dropped {
				dropped = n
				if err := each(host.Event{Kind: EventDropped, TaskID: t.ID(), Reason: fmt.Sprintf("%d events were lost so far: the reader is too slow", n)}); err != nil {
					return err
				}
			}
			if err := each(e); err != nil {
				return err
			}
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
}
