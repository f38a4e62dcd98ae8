package e2e

import (
	"context"
	"errors"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/hermes-cdp/hermes-cdp/host"
	"github.com/hermes-cdp/hermes-cdp/host/internal/browser"
	"github.com/hermes-cdp/hermes-cdp/host/internal/e2e/shared"
	"github.com/hermes-cdp/hermes-cdp/host/module"
)

// bridgeRow is a row of the table of facts on what reaches the supervisor from which page.
type bridgeRow struct {
	name  string
	page  bridgePage
	plain bool   // over http
	url   string // instead of the page's own address
	start string // runs once the page is loaded
	below bool   // in its first child frame, rather than in the page
	via   string // empty: no dialog comes
	marks string // the dialogs are dismissed at once and say so
}

const (
	pause   = "pause"
	request = "request"
)

// inside makes a page of a script that has a fresh iframe as i.
func inside(script string) bridgePage {
	return bridgePage{html: "<body><script>const i = document.createElement('iframe'); document.body.append(i); " + script + "</script>"}
}

// leaving makes a page that asks when it is left. What it got the next page tells: the console of one that is left is
// lost.
func leaving(event string) bridgePage {
	return bridgePage{html: "<script>addEventListener('" + event + "', () => { const console = {log: (said) => { sessionStorage.told = said }}; ASK })</script>"}
}

var bridgeRows = []bridgeRow{
	{name: "an http page", page: bridgePage{html: "<script>ASK</script>"}, plain: true, via: pause},
	{name: "an https page", page: bridgePage{html: "<script>ASK</script>"}, via: pause},
	{name: "a policy that allows nothing", page: bridgePage{
		headers: map[string]string{"Content-Security-Policy": "default-src 'none'; script-src 'unsafe-inline'"}, html: "<script>ASK</script>",
	}, via: pause},
	{name: "a policy that allows its own", page: bridgePage{
		headers: map[string]string{"Content-Security-Policy": "default-src 'self' 'unsafe-inline'"}, html: "<script>ASK</script>",
	}, via: pause},
	{name: "no synchronous requests", page: bridgePage{
		headers: map[string]string{"Permissions-Policy": "sync-xhr=()"}, html: "<script>ASK</script>",
	}, via: pause},
	{name: "a srcdoc frame", page: bridgePage{html: `<iframe srcdoc="<script>ASK</script>"></iframe>`}, via: pause},
	{name: "a data frame", page: bridgePage{html: `<iframe src="data:text/html,` + url.PathEscape("<script>"+asks+"</script>") + `"></iframe>`}, via: pause},
	{name: "a blob frame", page: inside("i.src = URL.createObjectURL(new Blob([`<script>ASK<\\/script>`], {type: 'text/html'}))"), via: pause},
	{name: "about:blank", url: "about:blank", start: asks, via: pause},
	{name: "a data document", url: "data:text/html," + url.PathEscape("<script>"+asks+"</script>"), via: pause},
	{name: "a popup", page: bridgePage{html: "popup"}, start: "open('/asks')", via: pause},
	{name: "a popup without an opener", page: bridgePage{html: "popup"}, start: "open('/asks', '', 'noopener')", via: pause},
	{name: "a fresh frame", page: inside("((alert, confirm, prompt) => { ASK })((m) => i.contentWindow.alert(m), (m) => i.contentWindow.confirm(m), (m, d) => i.contentWindow.prompt(m, d))"), via: pause},
	{name: "functions captured from a frame", page: inside("((alert, confirm, prompt) => { ASK })(i.contentWindow.alert, i.contentWindow.confirm, i.contentWindow.prompt)"), via: pause},
	{name: "a written frame", page: inside("i.contentDocument.write(`<script>ASK<\\/script>`)"), via: pause},
	{name: "an out-of-process frame", page: bridgePage{html: `<iframe src="https://127.0.0.1:PORT/asks"></iframe>`}, via: pause},
	{name: "a page with a service worker", page: bridgePage{
		html: "<script>navigator.serviceWorker.register('/worker.js').then(() => navigator.serviceWorker.ready).then(() => { ASK })</script>",
	}, via: pause},
	{name: "patched functions", page: bridgePage{html: `<script>
		XMLHttpRequest.prototype.open = XMLHttpRequest.prototype.send = () => { throw 'patched'; };
		JSON.stringify = JSON.parse = () => 'patched'; Function.prototype.toString = () => 'patched'; Reflect.apply = () => 'patched';
		String.prototype.slice = () => 'patched'; Array.prototype[Symbol.iterator] = () => { throw 'patched'; };
		ASK</script>`}, via: pause},
	{name: "pagehide", page: leaving("pagehide"), start: "location = '/told'", via: request},
	{name: "visibilitychange", page: leaving("visibilitychange"), start: "location = '/told'", via: request},
	{name: "unload", page: bridgePage{html: "<script>addEventListener('unload', () => { ASK })</script>"}, start: "location = '/empty'"},
	{name: "a sandbox without modals", page: bridgePage{html: `<iframe sandbox="allow-scripts" src="/asks"></iframe>`}, via: pause, marks: "sandbox"},
	{name: "a written sandbox without modals", page: bridgePage{html: `<iframe sandbox="allow-scripts" srcdoc="asks later"></iframe>`},
		start: asks, below: true, via: pause, marks: "sandbox"},
	{name: "below a sandbox without modals", page: bridgePage{html: `<iframe sandbox="allow-scripts" src="/outer"></iframe>`}, via: pause, marks: "sandbox"},
	{name: "a sandbox with modals", page: bridgePage{html: `<iframe sandbox="allow-scripts allow-modals" src="/asks"></iframe>`}, via: pause},
	{name: "a written sandbox with modals", page: bridgePage{html: `<iframe sandbox="allow-scripts allow-modals" srcdoc="asks later"></iframe>`},
		start: asks, below: true, via: pause},
	{name: "a beforeunload handler", page: bridgePage{html: "<script>addEventListener('beforeunload', () => { ASK })</script>"}, start: "location = '/empty'", via: pause, marks: "beforeunload"},
}

func TestTheBridgeReachesTheAgentFromEveryPage(t *testing.T) {
	t.Parallel()
	pages := map[string]bridgePage{
		"/told": {html: "<script>console.log(sessionStorage.told)</script>"},
		"/asks": {html: "<script>ASK</script>"}, "/outer": {html: `<iframe srcdoc="<script>ASK</script>"></iframe>`},
		"/worker.js": {html: "addEventListener('fetch', (e) => e.respondWith(fetch(e.request))); addEventListener('activate', (e) => e.waitUntil(clients.claim()))"},
	}
	for _, row := range bridgeRows {
		pages[row.path()] = row.page
	}
	b := newBridgeBench(t, pages)
	for _, row := range bridgeRows {
		t.Run(row.name, func(t *testing.T) { row.run(t, b) })
	}
}

// Chromium holds no sandboxed srcdoc frame until its session is prepared (see package facts), so that its first scripts
// can run before the bridge's. Their dialogs are then native: blocked by the sandbox as the bridge would, or answered
// by the agent.
func TestAFirstScriptThatTheBridgeMissesGetsTheSame(t *testing.T) {
	t.Parallel()
	b := newBridgeBench(t, map[string]bridgePage{
		"/without": {html: `<iframe sandbox="allow-scripts" srcdoc="<script>ASK</script>"></iframe>`},
		"/with":    {html: `<iframe sandbox="allow-scripts allow-modals" srcdoc="<script>ASK</script>"></iframe>`},
	})
	t.Run("without modals", func(t *testing.T) {
		w := b.world(t, host.TaskOptions{Scope: host.ScopeContext})
		w.visit(b.https("/without"))
		want(t, "the page", w.said(), "said undefined false null")
	})
	t.Run("with modals", func(t *testing.T) {
		w := b.world(t, host.TaskOptions{Scope: host.ScopeContext})
		w.visit(b.https("/with"))
		for _, kind := range []string{"alert", "confirm", "prompt"} {
			want(t, "type", w.dialog().Type, host.DialogType(kind))
			w.answer(host.DialogResponse{Accept: true})
		}
		want(t, "the page", w.said(), "said undefined true D")
	})
}

func (row bridgeRow) path() string { return "/" + strings.ReplaceAll(row.name, " ", "-") }

// bridgeBench is a browser that trusts a secure site, and a host.
type bridgeBench struct {
	*secureSite
	host    *host.Host
	address string
}

func newBridgeBench(t *testing.T, pages map[string]bridgePage) *bridgeBench {
	t.Helper()
	// On a busy machine the first call of a module can be too slow for its limit, and the script then takes the other way.
	patient := map[string]host.PluginOptions{"bridge-script": {Limits: module.Limits{HookTimeout: 10 * time.Second}}}
	b := &bridgeBench{secureSite: newSecureSite(t, pages), host: newHost(t, host.Options{Plugins: patient})}
	process, err := browser.Launch(t.Context(), browser.LaunchOptions{
		Transport: browser.TransportPort, Args: []string{"--site-per-process", "--host-resolver-rules=MAP *.invalid ~NOTFOUND", b.browserArg},
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), shared.CloseTimeout)
		defer cancel()
		if err := process.Close(ctx); err != nil {
			t.Errorf("the browser did not end cleanly: %v", err)
		}
	})
	b.address = process.WebSocketURL()
	return b
}

// world starts a task whose dialogs are bridged, in a browser context of its own.
func (b *bridgeBench) world(t *testing.T, o host.TaskOptions) *world {
	t.Helper()
	if o.DialogBridge == "" {
		o.DialogBridge = host.BridgeOn
	}
	task := attach(t, b.host, b.address, o)
	w := &world{Task: task, t: t, ctx: testContext(t), host: b.host, address: b.address}
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), shared.CloseTimeout)
		defer cancel()
		if err := task.Close(ctx); err != nil {
			t.Errorf("the task did not end cleanly: %v", err)
		}
	})
	return w
}

// visit navigates the first tab and waits until it is loaded or held.
func (w *world) visit(address string) {
	w.t.Helper()
	err := commit(w.ctx, w.Tab(""), address)
	if err == nil {
		_, err = w.Tab("").Evaluate(w.ctx, "new Promise(r => document.readyState === 'complete' ? r() : addEventListener('load', r))", &host.EvaluateOptions{AwaitPromise: true})
	}
	if err != nil && !errors.Is(err, host.ErrBlockedByDialog) {
		w.t.Fatalf("navigate to %.100s: %v", address, err)
	}
}

// startBelow is start in the page's first child frame. An evaluation comes after all that the supervisor has sent
// before, so the bridge is in the frame.
func (w *world) startBelow(expression string) {
	w.t.Helper()
	s := w.await("the frame's process", func(s *host.Snapshot) bool {
		frames := s.Page().RawFrameTree.Children
		return len(frames) > 0 && frames[0].SessionID != ""
	})
	_, err := w.Tab("").Evaluate(w.ctx, "setTimeout(() => {"+expression+"}); 0", &host.EvaluateOptions{Locator: host.InFrame(s.Page().RawFrameTree.Children[0].FrameID)})
	if err != nil && !errors.Is(err, host.ErrBlockedByDialog) {
		w.t.Fatalf("evaluate %s: %v", expression, err)
	}
}

// said waits for what a page wrote to the console.
func (w *world) said() string {
	w.t.Helper()
	var text string
	w.await("what the page got", func(s *host.Snapshot) bool {
		for _, m := range s.Console {
			if strings.HasPrefix(m.Text, "said ") {
				text = m.Text
			}
		}
		return text != ""
	})
	return text
}

func (row bridgeRow) run(t *testing.T, b *bridgeBench) {
	w := b.world(t, host.TaskOptions{Scope: host.ScopeContext})
	address := b.https(row.path())
	switch {
	case row.url != "":
		address = row.url
	case row.plain:
		address = b.http(row.path())
	}
	w.visit(address)
	switch {
	case row.below:
		w.startBelow(row.start)
	case row.start != "":
		w.start(row.start)
	}
	switch {
	case row.marks != "":
		want(t, "the page", w.said(), "said undefined false null")
		for _, d := range w.closed(3) {
			want(t, "closed by", d.ClosedBy, "auto_policy")
			want(t, "suppressed", d.Suppressed, host.Suppressed(row.marks))
			want(t, "rule", d.DecidedBy.Rule, "suppressed by "+row.marks)
		}
	case row.via == "":
		w.await("the next page", func(s *host.Snapshot) bool { return s.Page() != nil && s.Page().URL == b.https("/empty") })
		want(t, "dialogs", len(w.quiet().RecentDialogs), 0)
	default:
		row.answers(t, w)
	}
	if row.url == "" {
		w.works(b)
	}
}

// answers answers the three dialogs of a page and checks what it got.
func (row bridgeRow) answers(t *testing.T, w *world) {
	t.Helper()
	for _, next := range []struct {
		kind, message, fallback string
		answer                  host.DialogResponse
	}{
		{"alert", "A", "", host.DialogResponse{Accept: true}},
		{"confirm", "C", "", host.DialogResponse{Accept: true}},
		{"prompt", "P", "D", host.DialogResponse{Accept: true, PromptText: ptr("typed \u2028 'ä'")}},
	} {
		d := w.dialog()
		want(t, "type", d.Type, host.DialogType(next.kind))
		want(t, "message", d.Message, next.message)
		want(t, "default", d.DefaultPrompt, next.fallback)
		want(t, "via", d.Via, host.Via(row.via))
		w.answer(next.answer)
	}
	want(t, "the page", w.said(), "said undefined true typed \u2028 'ä'")
}

// works checks that the first tab goes on as before.
func (w *world) works(b *bridgeBench) {
	w.t.Helper()
	w.visit(b.https("/empty"))
	w.start("globalThis.said = confirm('still usable?')")
	if d := w.dialog(); d.Message != "still usable?" || d.Via != pause {
		w.t.Fatalf("an unexpected dialog: %+v", d)
	}
	w.answer(host.DialogResponse{Accept: true})
	want(w.t, "the page", w.evaluate("said"), "true")
}
