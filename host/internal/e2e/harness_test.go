package e2e

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/hermes-cdp/hermes-cdp/host"
	"github.com/hermes-cdp/hermes-cdp/host/internal/e2e/shared"
)

func testContext(t *testing.T) context.Context {
	t.Helper()
	ctx, cancel := context.WithTimeoutCause(t.Context(), shared.Limit(), errors.New("the test took too long"))
	t.Cleanup(cancel)
	return ctx
}

func newHost(t *testing.T, o host.Options) *host.Host {
	t.Helper()
	return common.NewHost(t, o)
}

// attach starts a task that ends with the test; a failed test shows its last snapshot.
func attach(t *testing.T, h *host.Host, address string, o host.TaskOptions) *host.Task {
	t.Helper()
	return attachAs(t, h, t.Name(), address, o)
}

// attachAs is attach with an id for the task.
func attachAs(t *testing.T, h *host.Host, id, address string, o host.TaskOptions) *host.Task {
	t.Helper()
	task, err := h.Attach(t.Context(), id, address, &o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if t.Failed() {
			t.Logf("last snapshot: %s", shared.Dump(task.Snapshot()))
		}
	})
	return task
}

// world is what most tests start with: a site and a task in a browser context of its own.
type world struct {
	*site
	*host.Task
	t       *testing.T
	ctx     context.Context
	host    *host.Host
	address string
}

// newWorld starts a task in the shared browser. The test may run beside others.
func newWorld(t *testing.T, pages map[string]string, o host.TaskOptions) *world {
	t.Helper()
	t.Parallel()
	return newWorldOn(t, common.Address(t), host.Options{}, pages, o)
}

// newWorldAlone starts a task in a browser of its own, which the test may wound.
func newWorldAlone(t *testing.T, pages map[string]string, o host.TaskOptions) *world {
	t.Helper()
	t.Parallel()
	address, _ := shared.Own(t)
	return newWorldOn(t, address, host.Options{Recording: host.RecordingOptions{Dir: t.TempDir()}}, pages, o)
}

// newWorldOn starts a host with these options and a task in a new browser context. A task that has the scope
// ScopeBrowser keeps it.
func newWorldOn(t *testing.T, address string, ho host.Options, pages map[string]string, o host.TaskOptions) *world {
	t.Helper()
	ctx := testContext(t)
	s := serve(ctx, t, pages)
	h := newHost(t, ho)
	return &world{site: s, Task: attach(t, h, address, o), t: t, ctx: ctx, host: h, address: address}
}

// in gives the same world to a subtest.
func (w *world) in(t *testing.T) *world {
	t.Helper()
	sub := *w
	sub.t = t
	sub.site = &site{server: w.server, t: t, ctx: w.ctx}
	return &sub
}

// open navigates the first tab to a page of the site at localhost and waits until it is loaded, or until it opens a
// dialog.
func (w *world) open(path string) {
	w.t.Helper()
	err := commit(w.ctx, w.Tab(""), w.url("localhost", path))
	if err == nil {
		_, err = w.Tab("").Evaluate(w.ctx, "new Promise(r => document.readyState === 'complete' ? r() : addEventListener('load', r))", &host.EvaluateOptions{AwaitPromise: true})
	}
	if err != nil && !errors.Is(err, host.ErrBlockedByDialog) {
		w.t.Fatalf("open %s: %v", path, err)
	}
}

// evaluate gives the JSON of an expression in the top frame of the first tab.
func (w *world) evaluate(expression string) string {
	w.t.Helper()
	value, err := w.Tab("").Evaluate(w.ctx, expression, &host.EvaluateOptions{AwaitPromise: true})
	if err != nil {
		w.t.Fatalf("evaluate %s: %v", expression, err)
	}
	return string(value.Value)
}

// start runs an expression on behalf of a user, as a click does, and does not wait for what it causes.
func (w *world) start(expression string) {
	w.t.Helper()
	_, err := w.Tab("").Evaluate(w.ctx, "setTimeout(() => {"+expression+"}); 0", &host.EvaluateOptions{UserGesture: true})
	if err != nil && !errors.Is(err, host.ErrBlockedByDialog) {
		w.t.Fatalf("evaluate %s: %v", expression, err)
	}
}

// await waits for a condition on the task's snapshot.
func (w *world) await(what string, condition func(*host.Snapshot) bool) *host.Snapshot {
	w.t.Helper()
	s, ok := w.Wait(w.ctx, condition)
	if !ok {
		w.t.Fatalf("waited in vain for: %s", what)
	}
	return s
}

// ended waits until the task has ended.
func (w *world) ended() {
	w.t.Helper()
	select {
	case <-w.Done():
	case <-w.ctx.Done():
		w.t.Fatalf("the task goes on: %s", shared.Dump(w.Snapshot()))
	}
}

// pending waits until n dialogs are open and held for an agent.
func (w *world) pending(n int) []host.Dialog {
	w.t.Helper()
	return w.await("pending dialogs", func(s *host.Snapshot) bool {
		if len(s.PendingDialogs) != n {
			return false
		}
		for _, d := range s.PendingDialogs {
			if d.Action != "hold" || d.Answering {
				return false
			}
		}
		return true
	}).PendingDialogs
}

// dialog waits for the only pending dialog.
func (w *world) dialog() host.Dialog {
	w.t.Helper()
	return w.pending(1)[0]
}

// answer answers a dialog and checks that the agent's answer closed it.
func (w *world) answer(r host.DialogResponse) host.Dialog {
	w.t.Helper()
	d, err := w.RespondDialog(w.ctx, r)
	if err != nil {
		w.t.Fatalf("answer %s: %v", shared.Dump(r), err)
	}
	if d.ClosedBy != "agent" || d.Accepted != r.Accept || d.ClosedAt.IsZero() {
		w.t.Fatalf("answered %s, but the dialog is %s", shared.Dump(r), shared.Dump(d))
	}
	return d
}

// quiet waits until no dialog is open.
func (w *world) quiet() *host.Snapshot {
	w.t.Helper()
	return w.await("no open dialog", func(s *host.Snapshot) bool { return len(s.PendingDialogs) == 0 })
}

// closed waits until n dialogs have closed and gives them, oldest first.
func (w *world) closed(n int) []host.Dialog {
	w.t.Helper()
	return w.await("closed dialogs", func(s *host.Snapshot) bool {
		return len(s.PendingDialogs) == 0 && len(s.RecentDialogs) >= n
	}).RecentDialogs
}

// usable checks that the first tab can be navigated, has working scripts and dialogs.
func (w *world) usable() {
	w.t.Helper()
	if err := commit(w.ctx, w.Tab(""), w.url("localhost", "/empty")); err != nil {
		w.t.Fatalf("the tab is not usable: %v", err)
	}
	w.await("the navigation", func(s *host.Snapshot) bool {
		p := s.Page()
		return p != nil && p.URL == w.url("localhost", "/empty")
	})
	before := len(w.quiet().RecentDialogs)
	w.start("globalThis.said = confirm('still usable?')")
	if d := w.dialog(); d.Message != "still usable?" {
		w.t.Fatalf("an unexpected dialog: %+v", d)
	}
	w.answer(host.DialogResponse{Accept: true})
	if got := w.evaluate("said"); got != "true" {
		w.t.Fatalf("the page got %s instead of true", got)
	}
	if after := len(w.Snapshot().RecentDialogs); after != min(before+1, 20) {
		w.t.Fatalf("%d recent dialogs after one more, before %d", after, before)
	}
}

// want fails the test unless got is what it should be.
func want[T comparable](t *testing.T, what string, got, wanted T) {
	t.Helper()
	if got != wanted {
		t.Errorf("%s: got %v, want %v", what, got, wanted)
	}
}

func ptr[T any](v T) *T { return &v }

// wantError fails the test unless an error is the one that is wanted; nil wants none.
func wantError(t *testing.T, err, wanted error) {
	t.Helper()
	if !errors.Is(err, wanted) {
		t.Errorf("got error %v, want %v", err, wanted)
	}
}

// commit navigates a tab and waits until the browser has committed the document.
func commit(ctx context.Context, tab host.Tab, url string) error {
	_, err := tab.Navigate(ctx, url, &host.NavigateOptions{WaitUntil: host.WaitCommit})
	return err
}

// within limits the time of a call.
func within(t *testing.T, ctx context.Context, limit time.Duration) context.Context {
	t.Helper()
	ctx, cancel := context.WithTimeout(ctx, limit)
	t.Cleanup(cancel)
	return ctx
}
