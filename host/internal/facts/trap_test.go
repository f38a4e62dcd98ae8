package facts

import (
	"net/http"
	"strings"
	"testing"
	"time"
)

// The trap: a dialog is open while a navigation of its tab to the same site commits. It can then be neither answered
// nor told from any other dialog, the tab is stuck, and a session that goes with it (detach, Page.disable, lost
// connection) ends the whole browser. A release frees the tab, and the navigation goes on.
func TestFactsAboutTheTrap(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	leaving := func(event string) string {
		return `<title>trap</title><a id=a href="/two">go</a><script>addEventListener("` + event + `", () => { confirm("leaving?") })</script>`
	}
	l.site.page("/pagehide", leaving("pagehide"))
	l.site.page("/hidden", leaving("visibilitychange"))
	l.site.page("/unload", leaving("unload"))
	l.site.page("/around", `<iframe src="/pagehide"></iframe>`)
	l.site.page("/far", `<iframe src="//b.localhost:`+l.site.port+`/leaf"></iframe>`)
	l.site.page("/chain", `<script>addEventListener("pagehide", () => { alert(1); alert(2); confirm(3) })</script>`)

	for _, c := range []struct{ name, page, act string }{
		{"pagehide, by script", "/pagehide", `location = "/two"`},
		{"pagehide, by a link", "/pagehide", `document.getElementById("a").click()`},
		{"pagehide, by Page.navigate", "/pagehide", ""},
		{"visibilitychange", "/hidden", `location = "/two"`},
		{"pagehide of a frame", "/around", `location = "/two"`},
	} {
		l.fact(t, c.page, "the trap shows when it is answered, and a release ends it: "+c.name, func(p *tab) {
			from := p.mark()
			if c.act == "" {
				p.send(p.session, "Page.navigate", params{"url": p.site.url("a", "/two")})
			} else {
				p.start(p.session, c.act)
			}
			opened := p.expect(from, event(p.session, "Page.javascriptDialogOpening"))[0]
			p.refused(-32000, notActive, p.session, "Page.handleJavaScriptDialog", params{"accept": true})
			p.refused(-32000, notActive, p.session, "Page.getNavigationHistory", nil) // the harmless way to find out
			p.release()
			p.expect(from, p.closed(opened.str("frameId"), false))
			p.expect(from, frame(p.session, "Page.frameNavigated", p.target, "frame.url", p.site.url("a", "/two")))
			p.healthy()
			p.call("", "Target.detachFromTarget", params{"sessionId": p.session}) // safe from here on
		})
	}

	l.fact(t, "/far", "any dialog becomes the trap when a navigation commits below it, which ends OOPIFs", func(p *tab) {
		session, _ := p.oopif(p.session, p.site.url("b", "/leaf"))
		requested, proceed := make(chan struct{}), make(chan struct{})
		p.site.handle("/slow", func(w http.ResponseWriter, _ *http.Request) {
			close(requested)
			<-proceed
			w.Header().Set("Content-Type", "text/html")
		})
		p.site.handle("/begun", func(http.ResponseWriter, *http.Request) { <-requested })
		from := p.mark()
		p.start(p.session, `location = "/slow"; fetch("/begun").then(() => confirm("?")); 0`)
		p.opening(from, p.target)
		close(proceed)
		p.untilRefused(notActive, "Page.getNavigationHistory") // the commit of a page without OOPIFs is announced by nothing
		p.expect(from, event(p.session, "Target.detachedFromTarget", "sessionId", session))
		p.refused(-32000, notActive, p.session, "Page.handleJavaScriptDialog", params{"accept": true})
		p.release()
		p.expect(from, p.closed(p.target, false))
		p.healthy()
	})

	l.fact(t, "/chain", "each dialog of a chain in the trap wants a release of its own", func(p *tab) {
		from := p.mark()
		p.start(p.session, `location = "/two"`)
		for _, message := range []string{"1", "2", "3"} {
			p.expect(from, event(p.session, "Page.javascriptDialogOpening", "message", message))
			p.release()
			p.expect(from, event(p.session, "Page.javascriptDialogOpening", "message", message), p.closed(p.target, false))
		}
		p.expect(from, frame(p.session, "Page.frameNavigated", p.target, "frame.url", p.site.url("a", "/two")))
		p.healthy()
	})

	l.fact(t, "/pagehide", "closing the target is a safe way out of the trap", func(p *tab) {
		from := p.mark()
		p.start(p.session, `location = "/two"`)
		p.opening(from, p.target)
		closing := p.send("", "Target.closeTarget", params{"targetId": p.target})
		p.expect(from, p.closed(p.target, false), event("", "Target.detachedFromTarget", "sessionId", p.session), reply(closing))
	})

	for _, c := range []struct{ name, page, act string }{
		{"another site", "/pagehide", `location = "//b.localhost:` + l.site.port + `/two"`},
		{"a reload", "/pagehide", `location.reload()`},
		{"unload", "/unload", `location = "/two"`},
	} {
		l.fact(t, c.page, "no dialog is announced on leaving for: "+c.name, func(p *tab) {
			from := p.mark()
			p.start(p.session, c.act)
			p.expect(from, frame(p.session, "Page.frameNavigated", p.target), event(p.session, "Page.loadEventFired"))
			p.never(from, event(p.session, "Page.javascriptDialogOpening"), p.session)
			p.healthy()
		})
	}
}

// untilRefused asks again and again until the browser refuses with that text.
func (p *tab) untilRefused(text, method string) {
	p.t.Helper()
	for start := time.Now(); time.Since(start) < patience; {
		if _, err := p.try(p.session, method, nil); err != nil {
			p.want("the refusal", strings.Contains(err.Error(), text), true)
			return
		}
	}
	p.t.Fatalf("%s is never refused\n%s", method, p.dump(0))
}
