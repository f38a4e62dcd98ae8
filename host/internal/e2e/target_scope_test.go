package e2e

import (
	"errors"
	"slices"
	"strings"
	"testing"

	cdppage "github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/target"

	"github.com/hermes-cdp/hermes-cdp/host"
	"github.com/hermes-cdp/hermes-cdp/host/internal/e2e/shared"
)

// attachTo starts another task on the world's host and gives a world of it.
func (w *world) attachTo(name string, o host.TaskOptions) *world {
	w.t.Helper()
	task, err := w.host.Attach(w.ctx, w.t.Name()+"/"+name, w.address, &o)
	if err != nil {
		w.t.Fatalf("attach %s: %v", name, err)
	}
	other := *w
	other.Task = task
	return &other
}

// A page that belongs to nobody's task, with a client of its own that answers its dialogs.
func TestATaskTouchesNothingForeign(t *testing.T) {
	w := newWorld(t, onSites(map[string]string{
		"/foreign": `<script>report('answer', confirm('for the user'));
			open('/foreign-popup', '', 'noopener'); open('$B/foreign-popup')</script><iframe src=$B/empty></iframe>`,
		"/foreign-popup": `<script>report('popup', 1)</script>`,
	}), host.TaskOptions{})
	tab := w.attachTo("tab", host.TaskOptions{})
	raw := newRawClient(w.ctx, t, w.address, "Page.javascriptDialogOpening", "Page.javascriptDialogClosed")
	session := raw.attach(raw.newTab())
	raw.call(session, cdppage.CommandEnable, nil, nil)
	raw.navigate(session, w.url("localhost", "/foreign"))
	want(t, "event", raw.next().Method, "Page.javascriptDialogOpening")
	for _, own := range []*world{w, tab} {
		own.evaluate("1")
		s := own.Snapshot()
		if len(s.PendingDialogs)+len(s.RecentDialogs) > 0 || len(s.Targets) != 1 {
			t.Errorf("a task sees foreign things: %s", shared.Dump(s))
		}
	}
	if w.hasReported("answer") {
		t.Fatal("somebody answered the user's dialog")
	}
	raw.call(session, cdppage.CommandHandleJavaScriptDialog, &cdppage.HandleJavaScriptDialogParams{Accept: true}, nil)
	want(t, "the page got", w.reported("answer"), "true")
	w.visited("/foreign-popup", 2)
	raw.evaluate(session, loaded)
	for _, own := range []*world{w, tab} {
		own.evaluate("1")
		want(t, "targets of a task", len(own.Snapshot().Targets), 1)
	}
}

func TestTwoTasksDoNotSeeEachOther(t *testing.T) {
	one := newWorld(t, nil, host.TaskOptions{})
	two := one.attachTo("two", host.TaskOptions{Scope: host.ScopeContext})
	for _, w := range []*world{one, two} {
		w.open("/empty")
	}
	one.evaluate("document.cookie = 'who=one'; localStorage.who = 'one'")
	want(t, "the other's cookies", two.evaluate("document.cookie"), `""`)
	want(t, "the other's storage", two.evaluate("localStorage.length"), "0")
	want(t, "its own cookies", one.evaluate("document.cookie"), `"who=one"`)

	popup := one.opens(one.Snapshot().Page().ID, "open('"+one.url("127.0.0.1", "/empty")+"')")
	one.start("confirm('for one')")
	d := one.dialog()
	want(t, "the other's tabs", len(two.Snapshot().Targets), 1)
	want(t, "the other's dialogs", len(two.Snapshot().PendingDialogs), 0)
	if _, err := two.RespondDialog(two.ctx, host.DialogResponse{DialogID: d.ID, Accept: true}); !errors.Is(err, host.ErrNoDialog) && !errors.Is(err, host.ErrUnknownDialog) {
		t.Errorf("the other task answered: %v", err)
	}
	for _, id := range []string{popup, one.Snapshot().Page().ID} {
		if _, err := two.Tab(id).Evaluate(two.ctx, "1", nil); !errors.Is(err, host.ErrUnknownTarget) {
			t.Errorf("the other task evaluated in %s: %v", id, err)
		}
		if err := commit(two.ctx, two.Tab(id), "about:blank"); !errors.Is(err, host.ErrUnknownTarget) {
			t.Errorf("the other task navigated %s: %v", id, err)
		}
	}
	two.usable() // while the dialog of the first is open
	if err := two.Close(two.ctx); err != nil {
		t.Error(err)
	}
	want(t, "the first's dialogs", len(one.Snapshot().PendingDialogs), 1)
	one.answer(host.DialogResponse{Accept: true})
	one.usable()
}

func TestATaskOfOneTabOwnsWhatComesFromIt(t *testing.T) {
	w := newWorld(t, nil, host.TaskOptions{})
	raw := newRawClient(w.ctx, t, w.address)
	mine := w.attachTo("tab", host.TaskOptions{URL: w.url("localhost", "/empty")})
	first := mine.Snapshot().Page().ID
	mine.await("its address", func(s *host.Snapshot) bool { return s.Page().URL == w.url("localhost", "/empty") })
	second := mine.opens(first, "open('"+w.url("127.0.0.1", "/empty")+"', '', 'noopener')")
	third := mine.opens(second, "open('"+w.url("localhost", "/empty")+"?third')")
	foreign := raw.newTab()
	for _, id := range []string{first, second, third} {
		want(t, "evaluate", mine.evaluateIn(id, "1 + 1"), "2")
	}
	want(t, "targets", len(mine.Snapshot().Targets), 3)
	// Its end takes what came from it along, and nothing else.
	if err := mine.Close(w.ctx); err != nil {
		t.Fatal(err)
	}
	for _, id := range []string{first, second, third} {
		if raw.has(id) {
			t.Errorf("the tab %s is still there", id)
		}
	}
	if !raw.has(foreign) {
		t.Error("the foreign tab was closed")
	}
	raw.call("", target.CommandCloseTarget, &target.CloseTargetParams{TargetID: target.ID(foreign)}, nil)
}

func TestAnAdoptedTabStaysWithTheUser(t *testing.T) {
	w := newWorld(t, onSites(map[string]string{"/tab": `<iframe src=$B/empty></iframe>`}), host.TaskOptions{})
	raw := newRawClient(w.ctx, t, w.address, "Page.javascriptDialogOpening")
	tab := raw.newTab()
	session := raw.attach(tab)
	raw.navigate(session, w.url("localhost", "/tab"))
	mine := w.attachTo("adopted", host.TaskOptions{TargetID: tab})
	want(t, "the tab", mine.Snapshot().Page().ID, tab)
	mine.becomes(tab, "$B/empty (oopif)")
	popup := mine.opens(tab, "open('"+w.url("127.0.0.1", "/empty")+"')")
	mine.start("globalThis.said = confirm('left open')")
	mine.dialog()
	if err := mine.Close(w.ctx); err != nil {
		t.Fatal(err)
	}
	// Dismissed, not left hanging; and neither the tab nor its popup is closed or paused.
	want(t, "the page got", raw.evaluate(session, "said"), "false")
	want(t, "a new frame of it", raw.evaluate(session, "new Promise(r => { const f = document.createElement('iframe'); f.onload = () => r(1); f.src = '"+
		w.url("127.0.0.2", "/empty")+"'; document.body.append(f) })"), "1")
	want(t, "the popup", raw.evaluate(raw.attach(popup), "1 + 1"), "2")
	// Its dialogs are the user's again.
	raw.call(session, cdppage.CommandEnable, nil, nil)
	raw.navigate(session, w.url("localhost", "/empty"))
	raw.evaluate(session, "setTimeout(() => confirm('again')); 0")
	want(t, "event", raw.next().Method, "Page.javascriptDialogOpening")
	raw.call(session, cdppage.CommandHandleJavaScriptDialog, &cdppage.HandleJavaScriptDialogParams{Accept: true}, nil)
	// And it can be adopted once more.
	again := w.attachTo("again", host.TaskOptions{TargetID: tab})
	want(t, "adopted again", again.evaluate("1 + 1"), "2")
	for _, id := range []string{popup, tab} {
		raw.call("", target.CommandCloseTarget, &target.CloseTargetParams{TargetID: target.ID(id)}, nil)
	}
	again.gone(tab)
}

func TestAnUnknownTargetIsAClearError(t *testing.T) {
	w := newWorld(t, nil, host.TaskOptions{})
	_, err := w.host.Attach(w.ctx, "unknown", w.address, &host.TaskOptions{TargetID: "0123456789ABCDEF"})
	if !errors.Is(err, host.ErrTask) || !strings.Contains(err.Error(), "0123456789ABCDEF") {
		t.Errorf("attach: %v", err)
	}
	want(t, "the task", w.host.Task("unknown"), nil)
	if _, err := w.Tab("0123456789ABCDEF").Evaluate(w.ctx, "1", nil); !errors.Is(err, host.ErrUnknownTarget) || !strings.Contains(err.Error(), "0123456789ABCDEF") {
		t.Errorf("evaluate: %v", err)
	}
	// The id is free for another try.
	if _, err := w.host.Attach(w.ctx, "unknown", w.address, &host.TaskOptions{Scope: host.ScopeContext}); err != nil {
		t.Error(err)
	}
}

func TestATaskOfAWholeBrowserAdoptsWhatIsThere(t *testing.T) {
	t.Parallel()
	address, _ := shared.Own(t)
	ctx := testContext(t)
	site := serve(ctx, t, onSites(map[string]string{"/tab": `<iframe src=$B/empty></iframe>`}))
	raw := newRawClient(ctx, t, address)
	var tabs []string
	for range 3 {
		id := raw.newTab()
		raw.navigate(raw.attach(id), site.url("localhost", "/tab"))
		tabs = append(tabs, id)
	}
	w := &world{site: site, t: t, ctx: ctx, host: newHost(t, host.Options{}), address: address}
	w.Task = attach(t, w.host, address, host.TaskOptions{Scope: host.ScopeBrowser})
	w.await("all tabs", func(s *host.Snapshot) bool {
		return !slices.ContainsFunc(tabs, func(id string) bool { return s.Target(id) == nil || !s.Target(id).Ready })
	})
	for _, id := range tabs {
		w.becomes(id, "$B/empty (oopif)")
	}
	later := raw.newTab()
	w.await("a tab that the user opens later", func(s *host.Snapshot) bool { return s.Target(later) != nil && s.Target(later).Ready })
	want(t, "it runs", w.evaluateIn(later, "1 + 1"), "2")
	// A task with a browser context of its own is not part of it.
	other := w.attachTo("context", host.TaskOptions{Scope: host.ScopeContext})
	want(t, "the context's tab in the other task", w.Snapshot().Target(other.Snapshot().Page().ID), nil)
	if err := w.Close(ctx); err != nil {
		t.Fatal(err)
	}
	for _, id := range append(tabs, later) {
		if !raw.has(id) {
			t.Errorf("the user's tab %s was closed", id)
			continue
		}
		want(t, "it runs", raw.evaluate(raw.attach(id), "1 + 1"), "2")
	}
}
