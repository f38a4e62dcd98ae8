package facts

import (
	"context"
	"testing"
	"time"
)

// silence is how long a command goes without a reply that is taken to get none.
const silence = 500 * time.Millisecond

// silent checks that a command gets no reply for a while.
func (l *lab) silent(session, method string, p params) {
	l.t.Helper()
	ctx, cancel := context.WithTimeout(l.t.Context(), silence)
	defer cancel()
	if err := l.conn.Call(ctx, session, method, p, nil); ctx.Err() == nil {
		l.t.Fatalf("%s was answered: %v\n%s", method, err, l.dump(0))
	}
}

func TestFactsAboutIsolates(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	l.conn.Subscribe("Runtime.executionContextCreated")
	l.site.page("/frames", `<iframe src="/leaf"></iframe><iframe src="//b.localhost:PORT/leaf"></iframe>`)
	isolate := func(session string) any { return l.call(session, "Runtime.getIsolateId", nil)["id"] }

	l.fact(t, "/frames", "sessions of one renderer process have one isolate, and one busy thread", func(p *tab) {
		oopif, _ := p.oopif(p.session, p.site.url("b", "/leaf"))
		from := p.mark()
		p.eval(p.session, `open("/leaf"); 0`)
		popup := p.expect(from, event("", "Target.attachedToTarget", "targetInfo.openerId", p.target))[0].str("sessionId")
		p.expect(from, ready(popup), event(popup, "Page.loadEventFired"))
		p.want("the popup's isolate", isolate(popup), isolate(p.session))
		p.want("another session's", isolate(p.second()), isolate(p.session))
		p.want("that the OOPIF has the same", isolate(oopif) == isolate(p.session), false)

		loop := p.start(p.session, "while (true) {}")
		p.silent(popup, "Runtime.getIsolateId", nil)
		isolate(oopif)
		p.call(popup, "Runtime.terminateExecution", nil) // ends the opener's loop
		p.want("the loop's end", p.expect(from, reply(loop))[0].Err, "Execution was terminated (code -32000)")
		isolate(popup)
	})

	l.fact(t, "/leaf", "a navigation to another site changes the isolate of the session", func(p *tab) {
		before := isolate(p.session)
		p.load("b", "/leaf")
		p.want("that it stayed", isolate(p.session) == before, false)
	})

	l.fact(t, "/frames", "the unique id of an execution context is the same on every session", func(p *tab) {
		context := p.expect(0, event(p.session, "Runtime.executionContextCreated", "context.auxData.frameId", p.target, "context.auxData.isDefault", true,
			"context.origin", "http://a.localhost:"+p.site.port))[0].str("context", "uniqueId")
		second := p.second()
		got := p.call(second, "Runtime.evaluate", params{"expression": "location.pathname", "uniqueContextId": context})
		p.want("where it ran", entry{body: got}.get("result", "value"), "/frames")
		p.refused(-32602, "uniqueContextId not found", second, "Runtime.evaluate", params{"expression": "1", "uniqueContextId": "1.2"})
	})

	// What is terminated while it waits for a promise leaves one that nobody settles.
	l.fact(t, "/leaf", "an async function that is terminated in a microtask gives no reply", func(p *tab) {
		from := p.mark()
		loop := p.send(p.session, "Runtime.evaluate", params{"expression": "(async () => { await 0; while (true) {} })()", "awaitPromise": true})
		p.silent(p.session, "Runtime.getIsolateId", nil)
		p.call(p.session, "Runtime.terminateExecution", nil)
		isolate(p.session)
		p.never(from, reply(loop), p.session)
	})

	l.fact(t, "/leaf", "a document request that Fetch holds silences every session of the page", func(p *tab) {
		second := p.second()
		p.call(second, "Fetch.enable", nil)
		from := p.mark()
		navigation := p.send(p.session, "Page.navigate", params{"url": p.site.url("a", "/two")})
		p.silent(p.session, "Runtime.evaluate", params{"expression": "1"})
		p.silent(second, "Runtime.getIsolateId", nil)
		p.call(second, "Fetch.disable", nil)
		p.expect(from, reply(navigation))
		isolate(p.session)
	})

	l.fact(t, "/leaf", "Page.navigate runs a javascript: address in the page that is there", func(p *tab) {
		p.call(p.session, "Page.navigate", params{"url": "javascript:globalThis.ran = true; void 0"})
		p.want("ran", p.eval(p.session, "ran"), true)
	})

	l.fact(t, "/frames", "a node is resolved in the worlds of other frames of its origin", func(p *tab) {
		object := p.call(p.session, "Runtime.evaluate", params{"expression": "frames[0].document.body"})
		node := p.call(p.session, "DOM.describeNode", params{"objectId": entry{body: object}.get("result", "objectId")})
		world := p.expect(0, event(p.session, "Runtime.executionContextCreated", "context.auxData.frameId", p.target,
			"context.origin", "http://a.localhost:"+p.site.port))[0].get("context", "id")
		p.call(p.session, "DOM.resolveNode", params{"backendNodeId": entry{body: node}.get("node", "backendNodeId"), "executionContextId": world})
	})
}
