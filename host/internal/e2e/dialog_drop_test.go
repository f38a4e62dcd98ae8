package e2e

import (
	"testing"

	"github.com/hermes-cdp/hermes-cdp/host"
	"github.com/hermes-cdp/hermes-cdp/host/internal/e2e/shared"
)

// newDropWorld adopts a new tab of a browser of its own over a connection that the test can cut.
func newDropWorld(t *testing.T, pages map[string]string) (w *world, p *proxy, raw *rawClient, tab string) {
	t.Helper()
	t.Parallel()
	address, _ := shared.Own(t)
	ctx := testContext(t)
	raw = newRawClient(ctx, t, address)
	tab = raw.newTab()
	p = newProxy(t, address)
	return newWorldOn(t, p.address, host.Options{ReconnectTimeout: -1}, pages, host.TaskOptions{TargetID: tab}), p, raw, tab
}

func TestAConnectionThatDropsAfterTheTrapLeavesTheBrowserAlive(t *testing.T) {
	w, p, raw, tab := newDropWorld(t, trapPages)
	d := w.trap("/pagehide")
	if _, err := w.RespondDialog(w.ctx, host.DialogResponse{DialogID: d.ID}); err != nil {
		t.Fatal(err)
	}
	p.cut()
	w.ended()
	want(t, "arrived at", w.reported("arrived"), `"/two"`)
	session := raw.attach(tab)
	raw.evaluate(session, "1")
	raw.navigate(session, w.url("localhost", "/empty"))
}

func TestAConnectionThatDropsEndsWhatWaitsOnIt(t *testing.T) {
	w, p, _, tab := newDropWorld(t, nil)
	w.open("/empty")
	result := make(chan error, 1)
	go func() {
		_, err := w.Tab("").Evaluate(w.ctx, "report('waiting', 1).then(() => new Promise(() => 0))", &host.EvaluateOptions{AwaitPromise: true})
		result <- err
	}()
	w.reported("waiting")
	p.cut()
	wantError(t, <-result, host.ErrDisconnected)
	w.ended()
	if w.Snapshot().Disconnected == "" {
		t.Error("the snapshot does not say that the connection is lost")
	}
	// The same task can be started again, and takes the tab over as it is.
	again, err := w.host.Attach(w.ctx, w.ID(), p.address, &host.TaskOptions{TargetID: tab})
	if err != nil {
		t.Fatal(err)
	}
	w.Task = again
	want(t, "address", w.evaluate("location.pathname"), `"/empty"`)
	w.usable()
}

func TestATabThatIsHeldByADialogOfALostConnectionIsFreedWhenItIsAdoptedAgain(t *testing.T) {
	for _, tc := range []struct{ name, page string }{
		{"in the top frame", `<script>report('said', confirm('unanswered'))</script>`},
		{"in an OOPIF", `<iframe src="{{127.0.0.1}}/says"></iframe>`},
	} {
		t.Run(tc.name, func(t *testing.T) {
			w, p, _, tab := newDropWorld(t, map[string]string{"/page": tc.page, "/says": `<script>report('said', confirm('unanswered'))</script>`})
			w.open("/page")
			w.dialog()
			p.cut()
			w.ended()
			again, err := w.host.Attach(w.ctx, w.ID(), p.address, &host.TaskOptions{TargetID: tab})
			if err != nil {
				t.Fatal(err)
			}
			w.Task = again
			want(t, "the page", w.reported("said"), "false")
			want(t, "address", w.evaluate("location.pathname"), `"/page"`)
			w.usable()
		})
	}
}
