package facts

import (
	"fmt"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
)

func TestFactsAboutTheBridge(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	l.conn.Subscribe("Runtime.executionContextCreated", "Debugger.paused", "Fetch.requestPaused")
	l.site.page("/frames", `<iframe src="/leaf"></iframe><iframe src="//b.localhost:PORT/leaf"></iframe>`)
	l.site.page("/sandboxed", `<iframe sandbox="allow-scripts" src="/leaf"></iframe>`)
	l.site.page("/srcdoc", `<iframe sandbox="allow-scripts" srcdoc="<script>1</script>"></iframe>`)

	l.fact(t, "/frames", "the id of a call frame holds that of its execution context", func(p *tab) {
		oopif, id := p.oopif(p.session, p.site.url("b", "/leaf"))
		for _, where := range []struct{ session, frame, site string }{{p.session, p.target, "a"}, {p.session, p.child(), "a"}, {oopif, id, "b"}} {
			created := p.expect(0, event(where.session, "Runtime.executionContextCreated",
				"context.auxData.frameId", where.frame, "context.origin", p.site.url(where.site, "")))[0]
			context := created.get("context", "id")
			p.call(where.session, "Debugger.enable", nil)
			from := p.mark()
			evaluated := p.send(where.session, "Runtime.evaluate", params{"expression": "(() => { debugger })()", "contextId": context})
			paused := p.expect(from, event(where.session, "Debugger.paused"))[0]
			parts := strings.Split(entry{body: paused.get("callFrames").([]any)[0].(map[string]any)}.str("callFrameId"), ".")
			p.want("the parts of the id", len(parts), 3)
			p.want("the second part", parts[1], fmt.Sprint(context))
			p.call(where.session, "Debugger.resume", nil)
			p.expect(from, reply(evaluated))
		}
	})

	// So a script that is to be there first can come too late.
	l.fact(t, "/srcdoc", "a sandboxed srcdoc frame gets a process that does not wait for the debugger", func(p *tab) {
		p.expect(0, event(p.session, "Target.attachedToTarget", "targetInfo.type", "iframe", "targetInfo.url", "about:srcdoc", "waitingForDebugger", false))
	})

	l.fact(t, "/sandboxed", "a sandboxed frame from the network gets one that waits", func(p *tab) {
		p.expect(0, event(p.session, "Target.attachedToTarget", "targetInfo.type", "iframe", "waitingForDebugger", true))
	})

	// The renderer takes its new way to the network on its main thread. So a page that was stopped when a connection was
	// lost can ask the next one nothing before the script has ended.
	var enabled atomic.Bool
	begun := make(chan struct{})
	l.site.handle("/begun", func(http.ResponseWriter, *http.Request) { close(begun) })
	l.site.handle("/enabled", func(w http.ResponseWriter, _ *http.Request) { _, _ = fmt.Fprint(w, enabled.Load()) })
	l.fact(t, "/leaf", "Fetch does not see the synchronous requests of a script that runs since before it was enabled", func(p *tab) {
		second := p.second()
		script := p.start(p.session, `
			globalThis.get = (path) => { const r = new XMLHttpRequest(); r.open("GET", path, false); r.send(); return r.responseText };
			get("/begun");
			while (get("/enabled") !== "true");
			get("/leaf?missed")`)
		<-begun
		from := p.mark()
		p.call(second, "Fetch.enable", params{"patterns": []params{{"urlPattern": "*/leaf*"}}})
		enabled.Store(true)
		p.want("what it got", p.expect(from, reply(script))[0].get("result", "value"), "<!doctype html>leaf")
		p.never(from, event(second, "Fetch.requestPaused"), p.session, second)

		from = p.mark()
		script = p.start(p.session, `get("/leaf?seen")`)
		paused := p.expect(from, event(second, "Fetch.requestPaused", "request.url", p.site.url("a", "/leaf?seen")))[0]
		p.call(second, "Fetch.continueRequest", params{"requestId": paused.str("requestId")})
		p.expect(from, reply(script))
	})
}
