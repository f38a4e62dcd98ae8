package facts

import (
	"testing"
)

func TestFactsAboutTargets(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	l.site.page("/links", `<body style="margin:0"><a href="/leaf" style="display:block;width:200px;height:100px">here</a>
		<a id=blank target=_blank href="/leaf">blank</a><form id=form target=_blank action="/leaf"></form><iframe src="//b.localhost:PORT/leaf"></iframe>`)
	l.site.page("/worker.js", `postMessage(1)`)
	l.site.page("/shared.js", `onconnect = e => e.ports[0].postMessage(1)`)
	l.site.page("/service.js", `oninstall = () => skipWaiting()`)
	l.site.page("/first", `<script>first = window.injected</script>`)

	l.fact(t, "/links", "every kind of popup is attached once, at the browser, and knows its opener", func(p *tab) {
		oopif, oopifFrame := p.oopif(p.session, p.site.url("b", "/leaf"))
		for _, c := range []struct{ session, act, openerFrame string }{
			{p.session, `open("/leaf"); 0`, p.target},
			{p.session, `open("/leaf", "", "noopener"); 0`, p.target},
			{p.session, `open("//c.localhost:` + p.site.port + `/leaf"); 0`, p.target},
			{p.session, `document.getElementById("blank").click()`, p.target},
			{p.session, `document.getElementById("form").submit()`, p.target},
			{oopif, `open("/leaf"); 0`, oopifFrame},
		} {
			from := p.mark()
			p.eval(c.session, c.act)
			popup := p.expect(from, event("", "Target.attachedToTarget", "targetInfo.openerId", p.target,
				"targetInfo.openerFrameId", c.openerFrame, "waitingForDebugger", true))[0]
			session, target := popup.str("sessionId"), popup.str("targetInfo", "targetId")
			p.expect(from, ready(session), event(session, "Page.loadEventFired"))
			p.want("attachments", p.count(from, attached(target)), 1)
		}
	})

	l.fact(t, "/first", "a window loads no page of the browser's own", func(p *tab) {
		for _, info := range p.call("", "Target.getTargets", params{"filter": []params{{}}})["targetInfos"].([]any) {
			if kind := info.(map[string]any)["type"]; kind != "page" && kind != "tab" {
				p.t.Errorf("there is a target of type %v: %v", kind, info)
			}
		}
	})

	// The browser opens these itself, so only the browser context says whose they are.
	l.fact(t, "/links", "a click with a modifier opens a tab without opener, in the context of the page", func(p *tab) {
		for _, click := range []params{{"button": "left", "modifiers": 2}, {"button": "middle"}, {"button": "left", "modifiers": 8}} {
			p.call(p.session, "Page.bringToFront", nil)
			from := p.mark()
			click["x"], click["y"], click["clickCount"] = 50, 50, 1
			for _, click["type"] = range []string{"mousePressed", "mouseReleased"} {
				p.call(p.session, "Input.dispatchMouseEvent", click)
			}
			opened := p.expect(from, event("", "Target.attachedToTarget", "targetInfo.browserContextId", p.context, "waitingForDebugger", true))[0]
			p.want("opener", opened.get("targetInfo", "openerId"), nil)
			p.expect(from, ready(opened.str("sessionId")))
		}
	})

	l.fact(t, "", "a new target is attached before the reply that names it, which does not wait for its resumption", func(p *tab) {
		p.hold()
		from := p.mark()
		create := p.send("", "Target.createTarget", params{"url": "about:blank", "browserContextId": p.context})
		created := p.expect(from, event("", "Target.attachedToTarget", "targetInfo.url", "about:blank", "waitingForDebugger", true), reply(create))
		p.want("target", created[0].str("targetInfo", "targetId"), created[1].str("targetId"))
		p.unhold()
	})

	l.fact(t, "/leaf", "a paused popup answers everything that prepares it, and its opener waits", func(p *tab) {
		p.hold()
		from := p.mark()
		opener := p.start(p.session, `open("/first"); 0`)
		popup := p.expect(from, event("", "Target.attachedToTarget", "targetInfo.openerId", p.target))[0].str("sessionId")
		for _, c := range []struct {
			method string
			params params
		}{
			{"Page.enable", nil}, {"Runtime.enable", nil}, {"Target.setAutoAttach", autoAttach},
			{"Page.addScriptToEvaluateOnNewDocument", params{"source": "injected = 1"}}, {"Debugger.enable", nil},
		} {
			p.call(popup, c.method, c.params)
		}
		tree := entry{body: p.call(popup, "Page.getFrameTree", nil)}
		p.want("url of the paused frame", tree.str("frameTree", "frame", "url"), "")
		p.never(from, reply(opener))
		p.call(popup, "Runtime.runIfWaitingForDebugger", nil)
		p.expect(from, event(popup, "Page.loadEventFired"))
		p.expect(from, reply(opener))
		p.want("what the first script saw", p.eval(popup, `first`), 1)
		p.unhold()
	})

	l.fact(t, "/leaf", "a page that was let go runs on and is not attached again when it changes its process", func(p *tab) {
		p.call("", "Target.detachFromTarget", params{"sessionId": p.session})
		from := p.mark()
		p.hold()
		other := p.second() // an attachment that was asked for
		p.call(other, "Page.enable", nil)
		p.session = other
		p.load("b", "/leaf")
		p.load("c", "/two")
		p.want("attachments", p.count(from, attached(p.target)), 1)
		p.unhold()
	})

	// A filter on the session of a page that leaves workers out would hold them forever: they are paused all the same, and
	// nobody is attached who could resume them.
	l.fact(t, "/leaf", "workers come on the session of their page and run once they are resumed", func(p *tab) {
		from := p.mark()
		p.want("worker", p.eval(p.session, `new Promise(done => { worker = new Worker("/worker.js"); worker.onmessage = () => done("ran") })`), "ran")
		p.expect(from, event(p.session, "Target.attachedToTarget", "targetInfo.type", "worker", "targetInfo.parentFrameId", p.target, "waitingForDebugger", true))
		p.want("service worker", p.eval(p.session, `navigator.serviceWorker.register("/service.js").then(() => navigator.serviceWorker.ready).then(() => "ran")`), "ran")
		p.expect(from, event(p.session, "Target.attachedToTarget", "targetInfo.type", "service_worker"))
	})

	l.fact(t, "/leaf", "the filter of the browser's session holds back nothing that it leaves out", func(p *tab) {
		p.want("shared worker", p.eval(p.session, `new Promise(done => { shared = new SharedWorker("/shared.js"); shared.port.onmessage = () => done("ran") })`), "ran")
		p.never(0, pattern{"anything but a page at the browser's session", func(e entry) bool {
			return e.Method == "Target.attachedToTarget" && e.SessionID == "" && e.str("targetInfo", "type") != "page"
		}}, p.session)
	})
}

func TestFactAboutPagesThatExistAlready(t *testing.T) {
	t.Parallel()
	l := newLab(t) // the browser's first tab is older than the connection
	l.expect(0, event("", "Target.attachedToTarget", "targetInfo.type", "page", "waitingForDebugger", false))
}

// attached is an attachment of a target, on any session.
func attached(target string) pattern {
	return pattern{"attachment of " + target, func(e entry) bool {
		return e.Method == "Target.attachedToTarget" && e.str("targetInfo", "targetId") == target
	}}
}
