package e2e

import (
	"fmt"
	"strings"
	"testing"

	cdppage "github.com/chromedp/cdproto/page"

	"github.com/hermes-cdp/hermes-cdp/host"
	"github.com/hermes-cdp/hermes-cdp/host/internal/e2e/shared"
)

// scripts is a page with everything that a browser runs scripts in; each reports. What waits for a debugger does not.
var scripts = onSites(map[string]string{
	"/scripts": `<script>report('page');
		const text = name => "fetch('$B/report/" + name + "', {method: 'POST', mode: 'no-cors', body: '1'}).then(() => 0)";
		new Worker(URL.createObjectURL(new Blob([text('worker') + '; new Worker(URL.createObjectURL(new Blob([' + JSON.stringify(text('nested-worker')) + '])))'])));
		new SharedWorker('/shared.js');
		navigator.serviceWorker.register('/service.js');
		open('/popup?1'); open('$B/popup?2', '', 'noopener');
		</script><iframe src=/local></iframe><iframe src=$B/oopif></iframe><iframe srcdoc="<script>parent.report('srcdoc')</script>"></iframe>`,
	"/local":       `<script>report('local')</script>`,
	"/oopif":       `<script>report('oopif')</script><iframe src=$C/deep></iframe>`,
	"/deep":        `<script>report('deep')</script>`,
	"/popup":       `<script>report('popup' + location.search.slice(1))</script><iframe src=$D/popup-frame></iframe>`,
	"/popup-frame": `<script>report('popup-frame')</script>`,
	"/shared.js":   "fetch('$B/report/shared', {method: 'POST', mode: 'no-cors', body: '1'})",
	"/service.js":  "fetch('$B/report/service', {method: 'POST', mode: 'no-cors', body: '1'})",
})

func (w *world) allScriptsRun() {
	w.t.Helper()
	for _, name := range []string{"page", "worker", "nested-worker", "shared", "service", "local", "oopif", "deep", "srcdoc", "popup1", "popup2", "popup-frame"} {
		w.reported(name)
	}
}

func TestNothingStaysWaitingForTheDebugger(t *testing.T) {
	t.Run("in a browser context of the task", func(t *testing.T) {
		w := newWorld(t, scripts, host.TaskOptions{})
		w.open("/scripts")
		w.allScriptsRun()
		s := w.await("the workers", func(s *host.Snapshot) bool {
			types := typesOf(s)
			return types["worker"] == 2 && types["shared_worker"] == 1 && types["service_worker"] >= 1 && types["page"] == 3
		})
		ids := map[string]int{}
		for _, target := range s.Targets {
			ids[target.Type+" "+target.ID]++
			if target.Type != "page" && (target.FrameTree != nil || target.RawFrameTree != nil || target.SessionID == "") {
				t.Errorf("a worker: %s", shared.Dump(target))
			}
		}
		for id, n := range ids {
			if n > 1 {
				t.Errorf("%s is there %d times", id, n)
			}
		}
	})
	t.Run("in a whole browser", func(t *testing.T) {
		t.Parallel()
		address, _ := shared.Own(t)
		w := newWorldOn(t, address, host.Options{}, scripts, host.TaskOptions{Scope: host.ScopeBrowser})
		w.open("/scripts")
		w.allScriptsRun()
		w.await("the workers", func(s *host.Snapshot) bool {
			types := typesOf(s)
			return types["worker"] == 2 && types["shared_worker"] == 1 && types["service_worker"] >= 1
		})
	})
	t.Run("in a tab of the task", func(t *testing.T) {
		t.Parallel()
		address, _ := shared.Own(t)
		ctx := testContext(t)
		h := newHost(t, host.Options{})
		w := &world{site: serve(ctx, t, scripts), Task: attach(t, h, address, host.TaskOptions{}), t: t, ctx: ctx, host: h, address: address}
		w.open("/scripts")
		w.allScriptsRun()
		w.await("the popups", func(s *host.Snapshot) bool { return typesOf(s)["page"] == 3 })
	})
	t.Run("in a tab that is not the task's", func(t *testing.T) {
		w := newWorld(t, scripts, host.TaskOptions{})
		raw := newRawClient(w.ctx, t, w.address)
		session := raw.attach(raw.newTab())
		raw.call(session, cdppage.CommandEnable, nil, nil)
		raw.navigate(session, w.url("localhost", "/scripts"))
		w.allScriptsRun()
		want(t, "targets of the task", len(w.Snapshot().Targets), 1)
	})
	t.Run("after the task was closed", func(t *testing.T) {
		t.Parallel()
		address, _ := shared.Own(t)
		w := newWorldOn(t, address, host.Options{}, scripts, host.TaskOptions{Scope: host.ScopeBrowser})
		// Keeps the connection.
		other, err := w.host.Attach(w.ctx, t.Name()+"/other", address, &host.TaskOptions{Scope: host.ScopeContext})
		if err != nil {
			t.Fatal(err)
		}
		raw := newRawClient(w.ctx, t, address)
		tab := raw.newTab()
		w.await("the new tab", func(s *host.Snapshot) bool { return s.Target(tab) != nil })
		if err := w.Close(w.ctx); err != nil {
			t.Fatal(err)
		}
		session := raw.attach(tab)
		raw.navigate(session, w.url("localhost", "/scripts"))
		w.allScriptsRun()
		want(t, "targets of the other task", len(other.Snapshot().Targets), 1)
	})
}

func typesOf(s *host.Snapshot) map[string]int {
	types := map[string]int{}
	for _, target := range s.Targets {
		types[target.Type]++
	}
	return types
}

func TestWorkersComeAndGoWithTheirPage(t *testing.T) {
	w := newWorld(t, nil, host.TaskOptions{})
	w.open("/empty")
	w.evaluate("globalThis.w = new Worker(URL.createObjectURL(new Blob(['onmessage = e => postMessage(e.data + 1); console.error(42, \"from the worker\")']))); 0")
	s := w.await("the worker and its console", func(s *host.Snapshot) bool { return len(s.Targets) == 2 && len(s.Console) == 1 })
	want(t, "type", s.Targets[1].Type, "worker")
	want(t, "console", s.Console[0].Text, "42 from the worker")
	want(t, "console of its page", s.Console[0].TargetID, s.Page().ID)
	want(t, "the worker's answer", w.evaluate("new Promise(r => { w.onmessage = e => r(e.data); w.postMessage(1) })"), "2")
	w.evaluate("w.terminate()")
	w.await("the worker's end", func(s *host.Snapshot) bool { return len(s.Targets) == 1 })
	w.evaluate("new Worker(URL.createObjectURL(new Blob(['0']))); 0")
	w.await("the second worker", func(s *host.Snapshot) bool { return len(s.Targets) == 2 })
	w.load("/empty")
	w.await("its end with its page", func(s *host.Snapshot) bool { return len(s.Targets) == 1 })
}

func TestAPrerenderedPageEndsAsAnOrdinaryOne(t *testing.T) {
	t.Parallel()
	address, _ := shared.OwnAhead(t)
	w := newWorldOn(t, address, host.Options{}, onSites(map[string]string{
		"/start": `<script type=speculationrules>{"prerender": [{"source": "list", "urls": ["/next"], "eagerness": "immediate"}]}</script>
			<a id=next href=/next>next</a>`,
		"/next": `<script>report('next', document.prerendering)</script><iframe src=$B/empty></iframe>`,
	}), host.TaskOptions{})
	w.load("/start")
	w.start("document.querySelector('#next').click()")
	w.await("the next page", func(s *host.Snapshot) bool { return s.Page().URL == w.url("localhost", "/next") })
	w.reported("next")
	w.becomes("", "$B/empty (oopif)")
	want(t, "the page runs", w.evaluate("location.pathname"), `"/next"`)
	s := w.Snapshot()
	if n := typesOf(s)["page"]; n != 1 {
		t.Errorf("%d pages: %s", n, shared.Dump(s))
	}
	w.usable()
}

// Many at once, as a page of advertisements does it.
func TestManyPopupsAtOnce(t *testing.T) {
	w := newWorld(t, onSites(map[string]string{"/popup": `<script>report('popup' + location.search.slice(1))</script>`}), host.TaskOptions{})
	w.open("/empty")
	const n = 12
	var script strings.Builder
	for i := range n {
		fmt.Fprintf(&script, "open('%s/popup?%d', '', '%s');", []string{"$A", "$B", "$C"}[i%3], i, []string{"", "noopener"}[i%2])
	}
	w.start(w.long(script.String()))
	for i := range n {
		w.reported(fmt.Sprint("popup", i))
	}
	w.await("all of them", func(s *host.Snapshot) bool {
		ready := 0
		for _, target := range s.Targets {
			if target.Ready && strings.Contains(target.URL, "/popup?") && target.OpenerID == s.Page().ID {
				ready++
			}
		}
		return ready == n
	})
}
