package facts

import "testing"

func TestFactsAboutFrames(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	l.site.page("/one", `<iframe id=f src="/leaf"></iframe>`)
	l.site.page("/inner", `<iframe src="//b.localhost:PORT/leaf"></iframe>`)
	l.site.page("/outer", `<iframe id=f src="/inner"></iframe>`)
	src := func(p *tab, letter, path string) {
		p.eval(p.session, `document.getElementById("f").src = "`+p.site.url(letter, path)+`"; 0`)
	}

	l.fact(t, "/one", "a frame keeps its id when it changes its process to and fro", func(p *tab) {
		id := p.child()
		from := p.mark()
		src(p, "b", "/leaf")
		out := p.expect(from, event(p.session, "Target.attachedToTarget", "targetInfo.targetId", id, "targetInfo.url", "", "targetInfo.parentFrameId", p.target),
			frame(p.session, "Page.frameDetached", id, "reason", "swap"))
		oopif := out[0].str("sessionId")
		p.expect(from, frame(oopif, "Page.frameNavigated", id, "frame.parentId", p.target), event(oopif, "Page.loadEventFired"))

		from = p.mark()
		src(p, "c", "/leaf")
		p.expect(from, frame(oopif, "Page.frameNavigated", id, "frame.url", p.site.url("c", "/leaf")), event(oopif, "Page.loadEventFired"))
		p.never(from, event(p.session, "Target.detachedFromTarget"), p.session, oopif)

		from = p.mark()
		src(p, "a", "/leaf")
		p.expect(from, event(p.session, "Target.detachedFromTarget", "sessionId", oopif),
			frame(p.session, "Page.frameAttached", id, "parentFrameId", p.target), frame(p.session, "Page.frameNavigated", id))
	})

	l.fact(t, "/outer", "an OOPIF names the frame that holds it, and a tree lists only its own process", func(p *tab) {
		inner := p.child()
		oopif, id := p.oopif(p.session, p.site.url("b", "/leaf"))
		p.expect(0, event(p.session, "Target.attachedToTarget", "targetInfo.targetId", id, "targetInfo.parentFrameId", inner, "targetInfo.parentId", p.target))
		tree := entry{body: p.call(oopif, "Page.getFrameTree", nil)}
		p.want("parent in the OOPIF's own tree", tree.str("frameTree", "frame", "parentId"), inner)
		top := entry{body: p.call(p.session, "Page.getFrameTree", nil)}
		p.want("children of the inner frame", top.get("frameTree", "childFrames").([]any)[0].(map[string]any)["childFrames"], nil)
	})

	l.fact(t, "/tree", "removal goes from the innermost frame outwards, each on the session that holds it", func(p *tab) {
		first, f1 := p.oopif(p.session, p.site.url("b", "/x1"))
		second, f2 := p.oopif(first, p.site.url("c", "/x2"))
		third, f3 := p.oopif(second, p.site.url("d", "/leaf"))
		from := p.mark()
		p.eval(p.session, `document.getElementById("x1").remove()`)
		p.expect(from, frame(second, "Page.frameDetached", f3, "reason", "remove"), event(second, "Target.detachedFromTarget", "sessionId", third))
		p.expect(from, frame(first, "Page.frameDetached", f2, "reason", "remove"), event(first, "Target.detachedFromTarget", "sessionId", second))
		p.expect(from, frame(p.session, "Page.frameDetached", f1, "reason", "remove"), event(p.session, "Target.detachedFromTarget", "sessionId", first))
	})

	l.fact(t, "/tree", "a navigation of the tab detaches only the first level, the sessions below die unannounced", func(p *tab) {
		first, f1 := p.oopif(p.session, p.site.url("b", "/x1"))
		second, _ := p.oopif(first, p.site.url("c", "/x2"))
		from := p.mark()
		p.eval(p.session, `location = "/two"; 0`)
		p.expect(from, event(p.session, "Target.detachedFromTarget", "sessionId", first), frame(p.session, "Page.frameNavigated", p.target))
		p.refused(-32001, "Session with given id not found", second, "Page.getFrameTree", nil)
		p.never(from, event(first, "Target.detachedFromTarget"), p.session)

		from = p.mark()
		p.eval(p.session, `history.back()`)
		back := p.expect(from, event(p.session, "Target.attachedToTarget", "targetInfo.targetId", f1, "waitingForDebugger", false),
			frame(p.session, "Page.frameNavigated", p.target, "type", "BackForwardCacheRestore"))
		p.want("a new session", back[0].str("sessionId") != first, true)
		p.child()                                                        // the local child is in the tree again,
		p.never(from, event(p.session, "Page.frameAttached"), p.session) // and was announced by nothing
	})

	l.fact(t, "/one", "a navigation drops the local children of a frame without any event", func(p *tab) {
		src(p, "b", "/one")
		oopif, id := p.settledOOPIF("/one")
		from := p.mark()
		src(p, "c", "/leaf")
		p.expect(from, frame(oopif, "Page.frameNavigated", id, "frame.url", p.site.url("c", "/leaf")), event(oopif, "Page.loadEventFired"))
		p.never(from, event(oopif, "Page.frameDetached"), p.session, oopif)
	})

	l.fact(t, "/one", "document.open detaches the children and announces the document instead of a navigation", func(p *tab) {
		id := p.child()
		from := p.mark()
		p.eval(p.session, `document.open(); document.write("<iframe></iframe>"); document.close(); 0`)
		p.expect(from, frame(p.session, "Page.frameDetached", id, "reason", "remove"), event(p.session, "Page.documentOpened", "frame.id", p.target),
			event(p.session, "Page.frameAttached", "parentFrameId", p.target))
		p.never(from, frame(p.session, "Page.frameNavigated", p.target), p.session)
	})

	l.fact(t, "/leaf", "securityOrigin comes from the address, not from the origin", func(p *tab) {
		p.site.page("/sandboxed", `<iframe sandbox src="/leaf"></iframe><iframe srcdoc="x"></iframe>`)
		p.load("a", "/sandboxed")
		oopif, _ := p.oopif(p.session, p.site.url("a", "/leaf")) // a sandboxed frame has a process of its own
		sandboxed := entry{body: p.call(oopif, "Page.getFrameTree", nil)}
		p.want("of an opaque origin", sandboxed.str("frameTree", "frame", "securityOrigin"), p.site.url("a", ""))
		top := entry{body: p.call(p.session, "Page.getFrameTree", nil)}
		srcdoc := top.get("frameTree", "childFrames").([]any)[0].(map[string]any)["frame"].(map[string]any)
		p.want("of a srcdoc frame that shares its parent's origin", srcdoc["securityOrigin"], "://")
	})
}

// child gives the id of the first local child of the top frame.
func (p *tab) child() string {
	p.t.Helper()
	tree := entry{body: p.call(p.session, "Page.getFrameTree", nil)}
	children, _ := tree.get("frameTree", "childFrames").([]any)
	if len(children) == 0 {
		p.t.Fatalf("no local child frame\n%s", p.dump(0))
	}
	return entry{body: children[0].(map[string]any)}.str("frame", "id")
}

// settledOOPIF waits for a page of site b that was put into a frame of the tab, and for its frames.
func (p *tab) settledOOPIF(path string) (session, id string) {
	p.t.Helper()
	attached := p.expect(0, event(p.session, "Target.attachedToTarget", "targetInfo.type", "iframe"))[0]
	session, id = attached.str("sessionId"), attached.str("targetInfo", "targetId")
	p.expect(0, frame(session, "Page.frameNavigated", id, "frame.url", p.site.url("b", path)), event(session, "Page.loadEventFired"))
	return session, id
}
