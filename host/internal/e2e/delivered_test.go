package e2e

import (
	"errors"
	"testing"
	"time"

	"github.com/hermes-cdp/hermes-cdp/host"
	"github.com/hermes-cdp/hermes-cdp/host/internal/e2e/shared"
)

// Whatever the action and wherever the frame: its caller is told that it was delivered, and can end what it set off.
func TestEveryActionWhoseHandlerNeverEndsIsToldAsDelivered(t *testing.T) {
	t.Parallel()
	for _, place := range []string{"/stuck", "/stuck-far"} {
		t.Run(place, func(t *testing.T) {
			t.Parallel()
			address, _ := shared.Own(t)
			w := newWorldOn(t, address, host.Options{ActionWait: time.Second}, stuckPages, host.TaskOptions{})
			for name, act := range stuckActions {
				frame := w.openStuck("/stuck", 2)[place]
				err := act(w, func(id string) host.Locator {
					return host.Locator{Selector: "#" + id, FrameID: frame}
				}, host.ActOptions{Timeout: testLimit / 2})
				var delivered *host.DeliveredError
				if !errors.As(err, &delivered) || delivered.TargetID != w.Snapshot().Page().ID || host.ErrorKind(err) != host.KindDelivered {
					t.Errorf("%s: %v", name, err)
					continue
				}
				if err := w.Stop(w.ctx, delivered.CallID); err != nil {
					t.Errorf("%s: stop: %v", name, err)
				}
				var stopped *host.StoppedError
				if _, err := w.Resume(w.ctx, delivered.CallID); !errors.As(err, &stopped) || !stopped.Terminated || !stopped.Sent || host.ErrorKind(err) != host.KindAborted {
					t.Errorf("%s: it came to %v", name, err)
				}
				if w.kept(frame) == "0" {
					t.Errorf("%s: the handler did not run", name)
				}
			}
		})
	}
}
