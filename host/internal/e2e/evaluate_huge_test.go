package e2e

import (
	"errors"
	"testing"

	"github.com/hermes-cdp/hermes-cdp/host"
	"github.com/hermes-cdp/hermes-cdp/host/internal/e2e/shared"
)

// A result that is too large for anybody ends by the budget or by its size, in each kind of place. Chromium writes it
// down before it does anything else, and nothing can end that; the next call works when it is through.
func TestAHugeResultEndsAndTheNextCallWorks(t *testing.T) {
	t.Parallel()
	address, _ := shared.Own(t) // the shared one should not hold as much
	w := newWorldOn(t, address, host.Options{ReadLimit: 8 << 20}, map[string]string{
		"/page":  `<iframe src="/inner"></iframe><iframe src="{{127.0.0.1}}/inner"></iframe><script>worker = new Worker(URL.createObjectURL(new Blob(["0"])))</script>`,
		"/inner": `<p>inner`,
	}, host.TaskOptions{})
	w.open("/page")
	s := w.await("the frames and the worker", func(s *host.Snapshot) bool {
		return len(s.Page().RawFrameTree.Children) == 2 && typesOf(s)["worker"] == 1
	})
	type place struct{ target, frame string }
	places := []place{{}}
	for _, f := range s.Page().RawFrameTree.Children {
		places = append(places, place{frame: f.FrameID})
	}
	for _, target := range s.Targets {
		if target.Type == "worker" {
			places = append(places, place{target: target.ID})
		}
	}
	for _, p := range places {
		tab, o := w.Tab(p.target), &host.EvaluateOptions{Locator: host.InFrame(p.frame)}
		_, err := tab.Evaluate(within(t, w.ctx, actLimit), "'x'.repeat(48 << 20)", o)
		for errors.Is(err, host.ErrRendererBusy) { // by the one before, in the same process
			_, err = tab.Evaluate(within(t, w.ctx, actLimit), "'x'.repeat(48 << 20)", o)
		}
		if !errors.Is(err, host.ErrTooLarge) && !errors.Is(err, host.ErrTimeout) {
			t.Errorf("in %+v: %v", p, err)
		}
		got, err := tab.Evaluate(w.ctx, "40 + 2", o)
		for errors.Is(err, host.ErrRendererBusy) {
			got, err = tab.Evaluate(w.ctx, "40 + 2", o)
		}
		if err != nil || string(got.Value) != "42" {
			t.Errorf("afterwards in %+v: %s, %v", p, got.Value, err)
		}
	}
}
