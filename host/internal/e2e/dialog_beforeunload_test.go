package e2e

import (
	"errors"
	"strings"
	"testing"

	"github.com/hermes-cdp/hermes-cdp/host"
)

const guarded = `<script>
addEventListener('beforeunload', e => e.preventDefault());
addEventListener('pagehide', () => reportLeaving('left', location.pathname));
</script>`

// openGuarded opens a page that asks before it is left; Chromium lets it ask only after a user did something there.
func (w *world) openGuarded() {
	w.t.Helper()
	w.open("/guarded")
	if _, err := w.Tab("").Evaluate(w.ctx, "0", &host.EvaluateOptions{UserGesture: true}); err != nil {
		w.t.Fatal(err)
	}
}

func TestBeforeunloadHoldsANavigation(t *testing.T) {
	for _, tc := range []struct {
		name   string
		accept bool
		path   string // where the tab is in the end
	}{
		{"accept leaves", true, "/empty"},
		{"dismiss stays", false, "/guarded"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			w := newWorld(t, map[string]string{"/guarded": guarded}, host.TaskOptions{})
			w.openGuarded()
			err := commit(w.ctx, w.Tab(""), w.url("localhost", "/empty"))
			var blocked *host.BlockedError
			if !errors.As(err, &blocked) || len(blocked.Dialogs) != 1 || blocked.Dialogs[0].Type != "beforeunload" {
				t.Fatalf("the navigation: got %v, want a BlockedError with the dialog", err)
			}
			d := w.dialog()
			want(t, "type", d.Type, "beforeunload")
			want(t, "message", d.Message, "")
			want(t, "blocked by", blocked.Dialogs[0].ID, d.ID)
			w.answer(host.DialogResponse{DialogID: d.ID, Accept: tc.accept})
			if tc.accept {
				want(t, "the page", w.reported("left"), `"/guarded"`)
			}
			w.await("the end of the navigation", func(s *host.Snapshot) bool { return s.Page().URL == w.url("localhost", tc.path) })
			want(t, "address", w.evaluate("location.pathname"), `"`+tc.path+`"`)
			want(t, "left", w.hasReported("left"), tc.accept)
		})
	}
}

func TestBeforeunloadHoldsAClose(t *testing.T) {
	w := newWorld(t, map[string]string{"/guarded": guarded}, host.TaskOptions{})
	w.openGuarded()
	tab := w.Snapshot().Page().ID
	raw := newRawClient(w.ctx, t, w.address)
	session := raw.attach(tab)
	raw.call(session, "Page.close", nil, nil)
	w.answer(host.DialogResponse{DialogID: w.dialog().ID, Accept: false})
	want(t, "address", w.evaluate("location.pathname"), `"/guarded"`)
	raw.call(session, "Page.close", nil, nil)
	w.answer(host.DialogResponse{DialogID: w.dialog().ID, Accept: true})
	w.await("the end of the tab", func(s *host.Snapshot) bool { return s.Target(tab) == nil })
	if _, err := w.Tab("").Evaluate(w.ctx, "1", nil); !errors.Is(err, host.ErrTargetGone) {
		t.Errorf("evaluate without a tab: got %v, want ErrTargetGone", err)
	}
}

func TestClosingATaskLeavesAPageThatAsksBeforehand(t *testing.T) {
	w := newWorld(t, map[string]string{"/guarded": guarded}, host.TaskOptions{})
	w.openGuarded()
	w.start("location = '/empty'")
	want(t, "type", w.dialog().Type, "beforeunload")
	if err := w.Close(w.ctx); err != nil {
		t.Fatal(err)
	}
	raw := newRawClient(w.ctx, t, w.address)
	if targets := raw.targets(); strings.Contains(targets, w.port+"/") {
		t.Errorf("a tab of the task is left: %s", targets)
	}
}
