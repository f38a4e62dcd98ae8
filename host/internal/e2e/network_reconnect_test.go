package e2e

import (
	"slices"
	"strings"
	"testing"

	"github.com/hermes-cdp/hermes-cdp/host"
)

// requested waits until a request whose URL contains a text is over. Each evaluation that it makes takes a round trip,
// so that it waits for the browser rather than for a time.
func (w *world) requested(part string) host.Request {
	w.t.Helper()
	for {
		list := w.Requests().List
		if i := slices.IndexFunc(list, func(r host.Request) bool { return strings.Contains(r.URL, part) && r.Ended }); i >= 0 {
			return list[i]
		}
		if _, err := w.Tab("").Evaluate(w.ctx, "1", nil); err != nil {
			w.t.Fatalf("no request for %s: %v", part, err)
		}
	}
}

// After a reconnect, the requests of all frames are recorded as before; what was recorded stays.
func TestRequestsAreRecordedAfterAReconnect(t *testing.T) {
	w, p := newBroken(t, map[string]string{
		"/asks": `<iframe src="{{127.0.0.1}}/other"></iframe>`, "/other": "there", "/before": "1", "/after": "2", "/after-in-frame": "3",
	})
	w.WatchNetwork()
	w.open("/asks")
	w.requested("/other")
	w.evaluate("fetch('/before').then(r => r.text())")
	before := w.requested("/before")
	events := w.Events(100)
	p.cut()
	w.back(events)
	s := w.await("the frame's session", func(s *host.Snapshot) bool {
		return len(s.Page().RawFrameTree.Children) == 1 && s.Page().RawFrameTree.Children[0].SessionID != ""
	})
	w.evaluate("fetch('/after').then(r => r.text())")
	after := w.requested("/after")
	if after.Number <= before.Number {
		t.Errorf("number %d follows %d", after.Number, before.Number)
	}
	body, err := w.RequestBodies(w.ctx, after.Number)
	if err != nil || !strings.HasSuffix(strings.TrimSpace(string(body.Response)), "2") {
		t.Errorf("%s, %v", body.Response, err)
	}
	frame := s.Page().RawFrameTree.Children[0].FrameID
	if _, err := w.Tab("").Evaluate(w.ctx, "fetch('/after-in-frame').then(r => r.text())", &host.EvaluateOptions{Locator: host.Locator{FrameID: frame}, AwaitPromise: true}); err != nil {
		t.Fatal(err)
	}
	w.requested("/after-in-frame")
	gone, err := w.RequestBodies(w.ctx, before.Number)
	if err != nil || gone.Missing == "" {
		t.Errorf("the body of a lost session is %+v, %v", gone, err)
	}
}
