package facts

import "testing"

func TestFactsAboutBeforeunload(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	l.site.page("/asks", `<script>addEventListener("beforeunload", e => e.preventDefault())</script>`)

	l.fact(t, "/asks", "dismissing aborts the navigation before the dialog is closed", func(p *tab) {
		p.eval(p.session, `0`) // gives the page the user activation that the dialog needs
		from := p.mark()
		navigate := p.send(p.session, "Page.navigate", params{"url": p.site.url("a", "/two")})
		p.want("type", p.opening(from, p.target).str("type"), "beforeunload")
		p.answer(false)
		aborted := p.expect(from, reply(navigate), p.closed(p.target, false))[0]
		p.want("error", aborted.str("errorText"), "net::ERR_ABORTED")
		p.want("the page", p.eval(p.session, `location.pathname`), "/asks")
	})

	l.fact(t, "/asks", "accepting closes the dialog before the navigation is answered", func(p *tab) {
		p.eval(p.session, `0`)
		from := p.mark()
		navigate := p.send(p.session, "Page.navigate", params{"url": p.site.url("a", "/two")})
		p.opening(from, p.target)
		p.answer(true)
		p.expect(from, p.closed(p.target, true), reply(navigate))
	})

	l.fact(t, "/asks", "without user activation nobody is asked", func(p *tab) {
		from := p.mark()
		p.load("a", "/two")
		p.never(from, event(p.session, "Page.javascriptDialogOpening"), p.session)
	})

	l.fact(t, "/asks", "Page.close asks after its reply, and closes when accepted", func(p *tab) {
		p.eval(p.session, `0`)
		from := p.mark()
		closing := p.send(p.session, "Page.close", nil)
		p.expect(from, reply(closing), event(p.session, "Page.javascriptDialogOpening", "type", "beforeunload"))
		p.answer(true)
		p.expect(from, p.closed(p.target, true), event("", "Target.detachedFromTarget", "sessionId", p.session))
	})

	l.fact(t, "/asks", "Target.closeTarget asks nobody", func(p *tab) {
		p.eval(p.session, `0`)
		from := p.mark()
		p.call("", "Target.closeTarget", params{"targetId": p.target})
		p.expect(from, event("", "Target.detachedFromTarget", "sessionId", p.session))
		p.never(from, event(p.session, "Page.javascriptDialogOpening"))
	})
}
