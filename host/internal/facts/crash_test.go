package facts

import (
	"strings"
	"testing"
)

func TestFactsAboutCrashes(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	l.call("", "Target.setDiscoverTargets", params{"discover": true, "filter": []params{{"type": "page"}, {"type": "iframe"}}})

	l.fact(t, "/tree", "a crashed page answers nothing until it is navigated on the same session", func(p *tab) {
		oopif, id := p.oopif(p.session, p.site.url("b", "/x1"))
		from := p.mark()
		waiting := p.send(p.session, "Runtime.evaluate", params{"expression": "new Promise(() => {})", "awaitPromise": true})
		p.send(p.session, "Page.crash", nil)
		p.expect(from, frame(p.session, "Page.frameDetached", id, "reason", "remove"), event(p.session, "Target.detachedFromTarget", "sessionId", oopif),
			event(p.session, "Inspector.targetCrashed"), event("", "Target.targetCrashed", "targetId", p.target))
		late := p.send(p.session, "Runtime.evaluate", params{"expression": "1"})
		p.call("", "Target.getTargetInfo", params{"targetId": p.target})
		p.never(from, reply(waiting))
		p.never(from, reply(late))

		navigate := p.send(p.session, "Page.navigate", params{"url": p.site.url("a", "/tree")})
		revived := p.expect(from, reply(waiting), event(p.session, "Inspector.targetReloadedAfterCrash"), reply(navigate),
			frame(p.session, "Page.frameNavigated", p.target), event(p.session, "Page.loadEventFired"))
		p.want("the old command", revived[0].Err != nil && strings.Contains(revived[0].Err.Error(), "Target crashed"), true)
		p.oopif(p.session, p.site.url("b", "/x1")) // children are attached as before
		p.healthy()
	})

	l.fact(t, "/tree", "a crashed OOPIF stays in the tree with its session, and its parent revives it", func(p *tab) {
		oopif, id := p.oopif(p.session, p.site.url("b", "/x1"))
		inner, innerID := p.oopif(oopif, p.site.url("c", "/x2"))
		from := p.mark()
		p.send(oopif, "Page.crash", nil)
		p.expect(from, frame(oopif, "Page.frameDetached", innerID, "reason", "remove"), event(oopif, "Target.detachedFromTarget", "sessionId", inner),
			event(oopif, "Inspector.targetCrashed"), event("", "Target.targetCrashed", "targetId", id))
		p.eval(p.session, `document.getElementById("x1").src += "?again"; 0`)
		p.expect(from, event(oopif, "Inspector.targetReloadedAfterCrash"), frame(oopif, "Page.frameNavigated", id))
		p.never(from, event(p.session, "Target.detachedFromTarget"), p.session, oopif)
		p.never(from, event(p.session, "Page.frameDetached"), p.session, oopif)
	})
}
