package facts

import (
	"strings"
	"testing"
)

// scriptName is the name of the script that may pause; whatever has another one is blackboxed.
const scriptName = "bridge-fact.js"

// pauser stops in a function whose local variable holds what it asks for, and gives what is written to it.
const pauser = `function pauser(asks) { const said = { asks, seen: false, answer: undefined }; debugger; return said }
//# sourceURL=` + scriptName

// pauses makes a tab stop in the pauser, and in no other script.
func (p *tab) pauses() {
	p.t.Helper()
	p.conn.Subscribe("Debugger.paused", "Debugger.resumed")
	p.call(p.session, "Debugger.enable", nil)
	p.call(p.session, "Debugger.setBlackboxPatterns", params{
		"patterns": []string{"^(?!" + strings.ReplaceAll(scriptName, ".", `\.`) + "$)"}, "skipAnonymous": true,
	})
	p.call(p.session, "Runtime.evaluate", params{"expression": pauser})
}

// paused waits for a pause and gives its top call frame.
func (p *tab) paused(from mark) entry {
	p.t.Helper()
	e := p.expect(from, event(p.session, "Debugger.paused"))[0]
	top, _ := e.get("callFrames").([]any)[0].(map[string]any)
	return entry{body: top}
}

// inFrame evaluates in a paused call frame and gives the value.
func (p *tab) inFrame(top entry, expression string) any {
	p.t.Helper()
	in := params{"callFrameId": top.str("callFrameId"), "expression": expression, "returnByValue": true}
	return entry{body: p.call(p.session, "Debugger.evaluateOnCallFrame", in)}.get("result", "value")
}

func TestFactsAboutPauses(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	l.site.page("/frame", `<iframe srcdoc="frame"></iframe>`)

	l.fact(t, "/leaf", "a pause shows the local variables and takes an answer", func(p *tab) {
		p.pauses()
		from := p.mark()
		id := p.start(p.session, `JSON.stringify(pauser("what"))`)
		top := p.paused(from)
		p.want("the request", p.inFrame(top, `(said.seen = true, said.asks)`), "what")
		p.inFrame(top, `said.answer = {__proto__: null, accepted: true, text: "a\u2028b"}`)
		p.call(p.session, "Debugger.resume", nil)
		p.want("the script got", p.expect(from, reply(id))[0].get("result", "value"),
			`{"asks":"what","seen":true,"answer":{"accepted":true,"text":"a`+"\u2028"+`b"}}`)
	})

	l.fact(t, "/leaf", "a blackboxed script never pauses, a page's script with the name does", func(p *tab) {
		p.pauses()
		from := p.mark()
		p.eval(p.session, `debugger; eval("debugger"); new Function("debugger")(); eval("debugger\n//# sourceURL=page.js"); eval("debugger\n//# sourceURL=x`+scriptName+`")`)
		p.eval(p.session, `new Promise(done => { const s = document.createElement("script"); s.textContent = "debugger"; document.body.append(s); setTimeout(() => { debugger; done() }, 0) })`)
		p.never(from, event(p.session, "Debugger.paused"), p.session)
		id := p.start(p.session, `eval("debugger\n//# sourceURL=`+scriptName+`")`)
		p.paused(from)
		p.call(p.session, "Debugger.resume", nil)
		p.expect(from, reply(id))
	})

	// Both ways to a frame. An object id is opaque by the protocol; V8 writes "isolate.context.object".
	l.fact(t, "/frame", "a pause tells its frame, by the context in object ids and by the node of its root element", func(p *tab) {
		p.conn.Subscribe("Runtime.executionContextCreated")
		from := p.mark()
		p.call(p.session, "Runtime.disable", nil)
		p.call(p.session, "Runtime.enable", nil)
		tree := entry{body: p.call(p.session, "Page.getFrameTree", nil)}
		child := tree.get("frameTree", "childFrames").([]any)[0].(map[string]any)["frame"].(map[string]any)["id"]
		context := p.expect(from, event(p.session, "Runtime.executionContextCreated", "context.auxData.frameId", child))[0].get("context", "id")
		p.pauses()
		p.call(p.session, "Runtime.evaluate", params{"expression": pauser, "contextId": context})
		from = p.mark()
		id := p.start(p.session, `frames[0].pauser("of the frame")`)
		top := p.paused(from)
		p.want("context", strings.Split(top.str("this", "objectId"), ".")[1], context)
		object := entry{body: p.call(p.session, "Debugger.evaluateOnCallFrame", params{"callFrameId": top.str("callFrameId"), "expression": "document.documentElement"})}
		node := entry{body: p.call(p.session, "DOM.describeNode", params{"objectId": object.str("result", "objectId")})}
		p.want("frame", node.str("node", "frameId"), child)
		p.call(p.session, "Debugger.resume", nil)
		p.expect(from, reply(id))
	})

	l.fact(t, "/leaf", "a paused page answers evaluate that awaits no promise, DOM and frame tree", func(p *tab) {
		p.pauses()
		from := p.mark()
		id := p.start(p.session, `pauser(); 0`)
		p.paused(from)
		sum := p.start(p.session, `1 + 1`) // without awaitPromise, as no microtask runs
		p.want("evaluate", p.expect(from, reply(sum))[0].get("result", "value"), 2)
		p.call(p.session, "DOM.getDocument", params{"depth": -1})
		p.call(p.session, "Page.getFrameTree", nil)
		p.call(p.session, "Debugger.resume", nil)
		p.expect(from, reply(id))
	})

	l.fact(t, "/leaf", "a pause ends unanswered when its session goes", func(p *tab) {
		p.pauses()
		other := p.second()
		p.call(other, "Runtime.enable", nil)
		from := p.mark()
		p.start(p.session, `said = undefined; setTimeout(() => { said = pauser() }, 0)`)
		p.paused(from)
		p.call("", "Target.detachFromTarget", params{"sessionId": p.session})
		p.session = other
		p.want("the answer", p.eval(other, `typeof said + said.answer`), "objectundefined")
	})

	l.fact(t, "/leaf", "a page pauses in beforeunload, and not while it ends", func(p *tab) {
		for _, c := range []struct {
			event string
			pause bool
		}{{"beforeunload", true}, {"pageswap", false}, {"pagehide", false}, {"visibilitychange", false}, {"unload", false}} {
			p.load("a", "/leaf")
			p.pauses()
			p.eval(p.session, `sessionStorage.clear(); addEventListener("`+c.event+`", () => { sessionStorage.ran = "yes"; pauser() })`)
			from := p.mark()
			p.start(p.session, `location = "/two"`)
			if c.pause {
				p.paused(from)
				p.call(p.session, "Debugger.resume", nil)
			}
			p.expect(from, event(p.session, "Page.frameNavigated", "frame.url", p.site.url("a", "/two")), event(p.session, "Page.loadEventFired"))
			p.want(c.event+" ran", p.eval(p.session, `sessionStorage.ran`), "yes")
			want := 0
			if c.pause {
				want = 1
			}
			p.want("pauses in "+c.event, p.count(from, event(p.session, "Debugger.paused")), want)
		}
	})
}
