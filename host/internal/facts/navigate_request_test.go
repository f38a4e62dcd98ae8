package facts

import (
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"
)

// documents are the requests for the documents of frames.
var documents = params{"patterns": []params{{"resourceType": "Document", "requestStage": "Request"}}}

// visits is what a server was asked for.
type visits struct {
	mu   sync.Mutex
	list []string
}

func (v *visits) add(r *http.Request) {
	body, _ := io.ReadAll(r.Body) // of a request that the browser gave up nothing is wanted
	v.mu.Lock()
	defer v.mu.Unlock()
	v.list = append(v.list, fmt.Sprintf("%s %s %s", r.Method, r.URL.Path, body))
}

func (v *visits) String() string {
	v.mu.Lock()
	defer v.mu.Unlock()
	return strings.Join(v.list, ", ")
}

// requested waits for the next request for a document on a session.
func (p *tab) requested(from mark, session, url string) entry {
	p.t.Helper()
	return p.expect(from, event(session, "Fetch.requestPaused", "request.url", url))[0]
}

func (p *tab) proceed(e entry) {
	p.t.Helper()
	p.call(e.SessionID, "Fetch.continueRequest", params{"requestId": e.str("requestId")})
}

func TestFactsAboutNavigationRequests(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	l.conn.Subscribe("Fetch.requestPaused", "Target.targetDestroyed")
	seen := &visits{}
	l.site.handle("/first", func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, "/second", http.StatusFound) })
	l.site.handle("/second", func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, l.site.url("b", "/leaf"), http.StatusMovedPermanently)
	})
	l.site.handle("/seen", func(w http.ResponseWriter, r *http.Request) {
		seen.add(r)
		w.Header().Set("Content-Type", "text/html")
		_, _ = fmt.Fprint(w, "<!doctype html>seen")
	})
	l.site.page("/form", `<form id=f method=post action="/sent"><input name=a value=b></form>`)
	a := func(path string) string { return l.site.url("a", path) }

	l.fact(t, "/leaf", "a redirect is paused again, and names the request before it; there is no networkId", func(p *tab) {
		p.call(p.session, "Fetch.enable", documents)
		from := p.mark()
		p.send(p.session, "Page.navigate", params{"url": a("/first#part")})
		first := p.requested(from, p.session, a("/first"))
		p.want("type", first.str("resourceType"), "Document")
		p.want("networkId", first.get("networkId"), nil)
		p.proceed(first)
		second := p.requested(from, p.session, a("/second"))
		p.want("the request before", second.str("redirectedRequestId"), first.str("requestId"))
		p.proceed(second)
		third := p.requested(from, p.session, l.site.url("b", "/leaf"))
		p.want("the request before", third.str("redirectedRequestId"), second.str("requestId"))
		p.proceed(third)
		p.expect(from, event(p.session, "Page.frameNavigated", "frame.url", l.site.url("b", "/leaf")))
	})

	l.fact(t, "/tree", "a frame's request is paused on the session that it is in before it navigates", func(p *tab) {
		x1, frame := p.oopif(p.session, l.site.url("b", "/x1"))
		for _, session := range []string{p.session, x1} {
			p.call(session, "Fetch.enable", documents)
		}
		from := p.mark()
		p.start(p.session, `same.location = "//c.localhost:`+l.site.port+`/leaf"`)
		p.proceed(p.requested(from, p.session, l.site.url("c", "/leaf")))
		p.start(p.session, `document.getElementById("x1").src = "/leaf"`)
		home := p.requested(from, x1, a("/leaf"))
		p.want("frame", home.str("frameId"), frame)
		p.proceed(home)
		p.expect(from, event(p.session, "Page.frameNavigated", "frame.id", frame))
	})

	l.fact(t, "/form", "a 307 that is made up keeps the method and the body, and its target is paused", func(p *tab) {
		p.call(p.session, "Fetch.enable", documents)
		from := p.mark()
		p.start(p.session, `f.submit()`)
		sent := p.requested(from, p.session, a("/sent"))
		p.call(p.session, "Fetch.fulfillRequest", params{"requestId": sent.str("requestId"), "responseCode": 307, "responseHeaders": []params{
			{"name": "Location", "value": l.site.url("b", "/seen")},
		}})
		next := p.requested(from, p.session, l.site.url("b", "/seen"))
		p.want("the request before", next.str("redirectedRequestId"), sent.str("requestId"))
		p.proceed(next)
		p.expect(from, event(p.session, "Page.frameNavigated", "frame.url", l.site.url("b", "/seen")))
		p.want("the server", seen, "POST /seen a=b")
	})

	l.fact(t, "/leaf", "what is blocked is an error page, and Page.navigate says so", func(p *tab) {
		p.call(p.session, "Fetch.enable", documents)
		from := p.mark()
		id := p.send(p.session, "Page.navigate", params{"url": a("/two")})
		p.call(p.session, "Fetch.failRequest", params{"requestId": p.requested(from, p.session, a("/two")).str("requestId"), "errorReason": "BlockedByClient"})
		p.want("error", p.expect(from, reply(id))[0].get("errorText"), "net::ERR_BLOCKED_BY_CLIENT")
		p.expect(from, event(p.session, "Page.frameNavigated", "frame.unreachableUrl", a("/two")))
	})

	l.fact(t, "/leaf", "other patterns keep what is paused; the end of the Fetch domain, and of the session, let it go", func(p *tab) {
		p.call(p.session, "Fetch.enable", documents)
		from := p.mark()
		id := p.send(p.session, "Page.navigate", params{"url": a("/two")})
		e := p.requested(from, p.session, a("/two"))
		p.call(p.session, "Fetch.enable", params{"patterns": []params{{"urlPattern": "https://nowhere.invalid/*"}}})
		p.never(from, reply(id))
		p.proceed(e)
		p.expect(from, reply(id))

		p.call(p.session, "Fetch.enable", documents)
		from = p.mark()
		id = p.send(p.session, "Page.navigate", params{"url": a("/leaf")})
		p.requested(from, p.session, a("/leaf"))
		p.call(p.session, "Fetch.disable", nil)
		p.expect(from, reply(id), event(p.session, "Page.loadEventFired"))

		second := p.second()
		p.call(second, "Fetch.enable", documents)
		from = p.mark()
		id = p.send(p.session, "Page.navigate", params{"url": a("/two")})
		p.requested(from, second, a("/two"))
		p.call("", "Target.detachFromTarget", params{"sessionId": second})
		p.expect(from, reply(id), event(p.session, "Page.loadEventFired"))
	})

	l.fact(t, "/leaf", "of two sessions the newer one has a request first, and the older one what became of it", func(p *tab) {
		p.call(p.session, "Fetch.enable", documents)
		second := p.second()
		p.call(second, "Fetch.enable", documents)
		from := p.mark()
		p.send(p.session, "Page.navigate", params{"url": a("/leaf")})
		e := p.requested(from, second, a("/leaf"))
		p.never(from, event(p.session, "Fetch.requestPaused"))
		p.call(second, "Fetch.continueRequest", params{"requestId": e.str("requestId"), "url": a("/two")})
		p.proceed(p.requested(from, p.session, a("/two")))
		p.expect(from, event(p.session, "Page.loadEventFired"))
	})

	l.fact(t, "/leaf", "a request whose frame is gone, or goes elsewhere, is none any more", func(p *tab) {
		p.call(p.session, "Fetch.enable", documents)
		from := p.mark()
		p.start(p.session, `i = document.createElement("iframe"); i.src = "/two"; document.body.append(i)`)
		e := p.requested(from, p.session, a("/two"))
		p.eval(p.session, `i.remove()`)
		p.refused(-32602, "Invalid InterceptionId", p.session, "Fetch.continueRequest", params{"requestId": e.str("requestId")})
		p.start(p.session, `location = "/seen?1"; setTimeout(() => { location = "/seen?2" }, 100)`)
		e = p.requested(from, p.session, a("/seen?1"))
		next := p.requested(from, p.session, a("/seen?2"))
		p.refused(-32602, "Invalid InterceptionId", p.session, "Fetch.continueRequest", params{"requestId": e.str("requestId")})
		p.proceed(next)
		p.expect(from, event(p.session, "Page.frameNavigated", "frame.url", a("/seen?2")))
	})

	// Requests pass the interception of the browser's own session after that of a page's.
	l.fact(t, "/leaf", "what is paused in a window that closes goes on, after the end of the window is told, to where the browser's own session pauses it", func(p *tab) {
		everything := params{"patterns": []params{{"urlPattern": "*", "requestStage": "Request"}}}
		p.call("", "Target.setDiscoverTargets", params{"discover": true})
		p.call("", "Fetch.enable", everything)
		defer p.call("", "Fetch.disable", nil)
		from := p.mark()
		p.start(p.session, `w = open("/two"); 0`)
		popup := p.expect(from, event("", "Target.attachedToTarget", "waitingForDebugger", true))[0]
		session, window := popup.str("sessionId"), popup.str("targetInfo", "targetId")
		p.proceed(p.requested(from, "", a("/two")))
		p.expect(from, event(session, "Page.loadEventFired"))
		p.call(session, "Fetch.enable", everything)
		from = p.mark()
		p.start(p.session, `w.navigator.sendBeacon("/leaf"); 0`)
		p.requested(from, session, a("/leaf"))
		p.start(p.session, `w.close(); 0`)
		p.proceed(p.expect(from,
			event("", "Target.detachedFromTarget", "sessionId", session),
			event("", "Target.targetDestroyed", "targetId", window),
			event("", "Fetch.requestPaused", "request.url", a("/leaf"), "frameId", window))[2])
	})

	l.fact(t, "/leaf", "the browser's own session pauses what a document asks for that was there before as soon as its own session does", func(p *tab) {
		everything := params{"patterns": []params{{"urlPattern": "*", "requestStage": "Request"}}}
		p.call("", "Fetch.enable", everything)
		defer p.call("", "Fetch.disable", nil)
		from := p.mark()
		p.eval(p.session, asker+`("/two")`)
		p.never(from, event("", "Fetch.requestPaused"), p.session)
		p.call(p.session, "Fetch.enable", everything)
		p.start(p.session, asker+`("/two")`)
		p.proceed(p.requested(from, p.session, a("/two")))
		p.proceed(p.requested(from, "", a("/two")))
	})

	// Not even a pattern for everything pauses what speculation rules fetch ahead, and Page.setPrerenderingAllowed changes
	// nothing about it.
	l.fact(t, "/leaf", "what a page has fetched ahead is loaded without a request that is paused", func(p *tab) {
		l.site.page("/ahead", `<script type=speculationrules>{"prefetch": [{"urls": ["//b.localhost:PORT/ahead-of"], "eagerness": "immediate"}]}</script>`)
		fetched := make(chan string, 10)
		l.site.handle("/ahead-of", func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", "text/html")
			_, _ = fmt.Fprint(w, "<!doctype html>fetched ahead")
			fetched <- r.Header.Get("Sec-Purpose")
		})
		p.call(p.session, "Fetch.enable", documents)
		from := p.mark()
		p.send(p.session, "Page.navigate", params{"url": a("/ahead")})
		p.proceed(p.requested(from, p.session, a("/ahead")))
		p.want("what the server was asked for", <-fetched, "prefetch")
		from = p.mark()
		p.start(p.session, `location = "//b.localhost:`+l.site.port+`/ahead-of"`)
		p.expect(from, event(p.session, "Page.frameNavigated", "frame.url", l.site.url("b", "/ahead-of")))
		p.never(from, event(p.session, "Fetch.requestPaused"), p.session)
	})
}
