package facts

import "testing"

// What these facts go around ends the whole browser (SIGSEGV in Chromium 156): when the frame of a dialog is gone,
// anything that closes the native dialog builds a closed event with the id of a dead frame for each session with
// Page.enable. That is: answering it, a new dialog of that tab, any navigation or reload of the tab, closing the tab.
func TestFactsAboutDialogsWhoseFrameGoes(t *testing.T) {
	t.Parallel()
	l := newLab(t)

	for _, c := range []struct{ name, frame, act string }{
		{"its element is removed", "x1", `document.getElementById("x1").remove()`},
		{"the frame around it is removed", "x2", `document.getElementById("x1").remove()`},
	} {
		l.fact(t, "/tree", "a lost dialog is never closed and is healed without Page.enable: "+c.name, func(p *tab) {
			first, firstFrame := p.oopif(p.session, p.site.url("b", "/x1"))
			lost := firstFrame
			session := first
			if c.frame == "x2" {
				session, lost = p.oopif(first, p.site.url("c", "/x2"))
			}
			from := p.confirm(session, lost)
			p.eval(p.session, c.act)
			p.expect(from, frame(p.session, "Page.frameDetached", firstFrame, "reason", "remove"),
				event(p.session, "Target.detachedFromTarget", "sessionId", first))
			p.never(from, event(p.session, "Page.javascriptDialogClosed"), p.session)

			p.call(p.session, "Page.getNavigationHistory", nil) // what tells it from the trap, where this is refused
			p.call(p.session, "Page.disable", nil)
			aborted := p.call(p.session, "Page.navigate", params{"url": releaseURL}) // its reply must be awaited
			p.want("error", aborted["errorText"], "net::ERR_ABORTED")
			p.call(p.session, "Page.enable", nil)
			p.healthy()
			p.load("a", "/tree")
		})
	}

	l.fact(t, "/tree", "a crashed OOPIF's dialog is closed by a release", func(p *tab) {
		session, lost := p.oopif(p.session, p.site.url("b", "/x1"))
		from := p.confirm(session, lost)
		p.send(session, "Page.crash", nil)
		p.expect(from, event(session, "Inspector.targetCrashed"))
		p.eval(p.session, `0`)
		p.never(from, event(p.session, "Page.javascriptDialogClosed"), p.session)
		p.release()
		p.expect(from, p.closed(lost, false))
		p.healthy()
	})

	l.fact(t, "/tree", "an answer sent right before it makes closing the tab safe", func(p *tab) {
		session, asking := p.oopif(p.session, p.site.url("b", "/x1"))
		from := p.confirm(session, asking)
		answer := p.send(p.session, "Page.handleJavaScriptDialog", params{"accept": false})
		closing := p.send("", "Target.closeTarget", params{"targetId": p.target})
		p.expect(from, p.closed(asking, false), reply(answer), event("", "Target.detachedFromTarget", "sessionId", p.session))
		p.expect(from, reply(closing))
	})

	l.fact(t, "/tree", "a navigation of the frame that asks waits for the answer", func(p *tab) {
		session, asking := p.oopif(p.session, p.site.url("b", "/x1"))
		from := p.confirm(session, asking)
		p.eval(p.session, `document.getElementById("x1").src = "//d.localhost:`+p.site.port+`/leaf"; 0`)
		p.answer(true)
		// The end of a navigation closes the tab's dialogs, and may come after its event; the load event comes after that.
		p.expect(from, p.closed(asking, true), frame(session, "Page.frameNavigated", asking), event(session, "Page.loadEventFired"))
		p.healthy()
	})

	l.fact(t, "/tree", "a navigation of the tab closes an OOPIF's dialog before it detaches the OOPIF", func(p *tab) {
		session, asking := p.oopif(p.session, p.site.url("b", "/x1"))
		from := p.confirm(session, asking)
		p.eval(p.session, `location = "/leaf"; 0`)
		p.expect(from, p.closed(asking, false), event(p.session, "Target.detachedFromTarget", "sessionId", session),
			frame(p.session, "Page.frameNavigated", p.target))
		p.healthy()
	})
}
