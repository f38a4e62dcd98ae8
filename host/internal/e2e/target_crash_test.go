package e2e

import (
	"errors"
	"testing"

	"github.com/hermes-cdp/hermes-cdp/host"
)

var crashPages = onSites(map[string]string{
	"/page": `<iframe src=$B/outer id=f></iframe><iframe src=/local></iframe>`, "/outer": `<iframe src=$C/empty></iframe><iframe src=/empty></iframe>`,
	"/local": `<iframe src=/empty></iframe>`,
})

var crashFrames = []string{"$B/outer (oopif)", "$C/empty (oopif)", "$B/empty", "$A/local", "$A/empty"}

func TestACrashedTabIsRevivedByANavigation(t *testing.T) {
	w := newWorldAlone(t, crashPages, host.TaskOptions{})
	events := w.Events(100)
	for range 2 {
		w.load("/page")
		w.becomes("", crashFrames...)
		id := w.Snapshot().Page().ID
		crash := newRawClient(w.ctx, t, w.address).crasher(id)
		ended := make(chan error, 1)
		go func() {
			_, err := w.Tab("").Evaluate(w.ctx, "report('under way'); "+forever, &host.EvaluateOptions{AwaitPromise: true})
			ended <- err
		}()
		w.reported("under way")
		crash()
		if err := <-ended; !errors.Is(err, host.ErrTargetCrashed) {
			t.Errorf("the call under way ended with: %v", err)
		}
		s := w.await("the crash", func(s *host.Snapshot) bool { return s.Page().Crashed })
		want(t, "frames below the top", len(s.Page().RawFrameTree.Children), 0)
		if _, err := w.Tab("").Evaluate(w.ctx, "1", nil); !errors.Is(err, host.ErrTargetCrashed) {
			t.Errorf("evaluate in a crashed tab: %v", err)
		}
		for e := range events.C {
			if e.Kind == host.EventTargetCrashed {
				want(t, "the event's target", e.Target.ID, id)
				break
			}
		}
		w.load("/page")
		want(t, "crashed", w.Snapshot().Page().Crashed, false)
		want(t, "the tab", w.Snapshot().Page().ID, id)
		w.becomes("", crashFrames...)
		w.usable()
	}
}

func TestACrashedOOPIFStaysInTheTree(t *testing.T) {
	w := newWorldAlone(t, crashPages, host.TaskOptions{})
	w.load("/page")
	w.becomes("", crashFrames...)
	id := w.Snapshot().Page().ID
	var outer string
	for _, f := range w.Snapshot().Page().RawFrameTree.Children {
		if w.short(f.URL) == "$B/outer" {
			outer = f.FrameID
		}
	}
	newRawClient(w.ctx, t, w.address).crasher(outer)()
	s := w.await("the end of the frames below", func(s *host.Snapshot) bool { return len(s.Page().RawFrameTree.Children) == 3 })
	want(t, "the tab crashed", s.Page().Crashed, false)
	want(t, "the page still runs", w.evaluate("1 + 1"), "2")
	w.evaluate(w.long(to("$B/outer?again")))
	w.becomes(id, "$B/outer?again (oopif)", "$C/empty (oopif)", "$B/empty", "$A/local", "$A/empty")
	w.usable()
}
