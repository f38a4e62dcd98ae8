package facts

import (
	"net/http"
	"testing"
)

// loadingLab is a lab that hears about the loads of frames, and a site with what never becomes a document.
func loadingLab(t *testing.T) *lab {
	l := newLab(t)
	l.conn.Subscribe("Page.frameRequestedNavigation", "Page.frameStartedNavigating", "Page.frameStoppedLoading", "Page.lifecycleEvent")
	l.site.page("/asks", `<script>addEventListener("beforeunload", e => e.preventDefault())</script>`)
	l.site.handle("/never", func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() })
	l.site.handle("/empty", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusNoContent) })
	l.site.handle("/file", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Disposition", "attachment; filename=file")
		_, _ = w.Write([]byte("content"))
	})
	return l
}

func TestFactsAboutTheEndsOfNavigations(t *testing.T) {
	t.Parallel()
	l := loadingLab(t)
	started := func(p *tab, path string) pattern {
		return frame(p.session, "Page.frameStartedNavigating", p.target, "url", p.site.url("a", path), "navigationType", "differentDocument")
	}
	stopped := func(p *tab) pattern { return frame(p.session, "Page.frameStoppedLoading", p.target) }
	navigate := func(p *tab, path string) int64 {
		return p.send(p.session, "Page.navigate", params{"url": p.site.url("a", path)})
	}

	l.fact(t, "/leaf", "what script asks for is announced before the script's reply", func(p *tab) {
		from := p.mark()
		asks := p.start(p.session, `location = "/two"; 0`)
		p.expect(from, frame(p.session, "Page.frameRequestedNavigation", p.target, "url", p.site.url("a", "/two")), reply(asks))
		p.expect(from, started(p, "/two"), frame(p.session, "Page.frameNavigated", p.target))
	})
	for name, path := range map[string]string{"an empty answer": "/empty", "a download": "/file"} {
		l.fact(t, "/leaf", name+" stops the load", func(p *tab) {
			from := p.mark()
			navigate(p, path)
			p.expect(from, started(p, path), stopped(p))
			from = p.mark()
			p.start(p.session, `location = "`+path+`"; 0`)
			p.expect(from, started(p, path), stopped(p))
		})
	}
	l.fact(t, "/leaf", "window.stop and Page.stopLoading stop the load", func(p *tab) {
		from := p.mark()
		p.start(p.session, `location = "/never"; setTimeout(stop, 200); 0`)
		p.expect(from, started(p, "/never"), stopped(p))
		from = p.mark()
		navigate(p, "/never")
		p.expect(from, started(p, "/never"))
		p.expect(from, stopped(p), reply(p.send(p.session, "Page.stopLoading", nil)))
	})
	l.fact(t, "/asks", "a dismissed beforeunload dialog stops the load", func(p *tab) {
		p.eval(p.session, `0`)
		from := p.mark()
		navigate(p, "/two")
		p.opening(from, p.target)
		p.answer(false)
		p.expect(from, started(p, "/two"), stopped(p))
	})
	l.fact(t, "/leaf", "a page from the back/forward cache stops the load before it is there", func(p *tab) {
		p.load("a", "/two")
		entries := p.call(p.session, "Page.getNavigationHistory", nil)["entries"].([]any)
		before := entries[len(entries)-2].(map[string]any)["id"]
		from := p.mark()
		p.send(p.session, "Page.navigateToHistoryEntry", params{"entryId": before})
		p.expect(from, frame(p.session, "Page.frameStartedNavigating", p.target, "navigationType", "historyDifferentDocument"), stopped(p),
			frame(p.session, "Page.frameNavigated", p.target, "type", "BackForwardCacheRestore"))
	})
	l.fact(t, "/leaf", "the page that is still there does not stop the load", func(p *tab) {
		requested, proceed := make(chan struct{}), make(chan struct{})
		// By a script, because an element may be requested before it is parsed, and the navigation ends the parsing.
		p.site.page("/image", `<script>image = new Image(); image.onerror = () => console.log('image'); image.src = "/held"</script>`)
		p.site.handle("/held", func(http.ResponseWriter, *http.Request) {
			close(requested)
			<-proceed
		})
		navigate(p, "/image")
		<-requested
		from := p.mark()
		p.start(p.session, `location = "/never"; 0`)
		p.expect(from, started(p, "/never"))
		close(proceed)
		p.expect(from, event(p.session, "Runtime.consoleAPICalled"))
		p.never(from, stopped(p))
		p.call(p.session, "Page.stopLoading", nil)
	})
}

func TestFactsAboutTheIdleNetwork(t *testing.T) {
	t.Parallel()
	l := loadingLab(t)
	idle := func(p *tab, loader any) pattern {
		return event(p.session, "Page.lifecycleEvent", "loaderId", loader, "name", "networkIdle")
	}

	l.fact(t, "/leaf", "the document is idle while a frame of it loads, and so is the frame's empty document", func(p *tab) {
		requested, proceed := make(chan struct{}), make(chan struct{})
		p.site.page("/framed", `<iframe src="/slow"></iframe>`)
		p.site.handle("/slow", func(w http.ResponseWriter, _ *http.Request) {
			close(requested)
			<-proceed
			w.Header().Set("Content-Type", "text/html")
		})
		p.call(p.session, "Page.setLifecycleEventsEnabled", params{"enabled": true})
		from := p.mark()
		loader := p.call(p.session, "Page.navigate", params{"url": p.site.url("a", "/framed")})["loaderId"]
		<-requested
		p.expect(from, idle(p, loader))
		p.never(from, event(p.session, "Page.lifecycleEvent", "loaderId", loader, "name", "load"), p.session)
		child := p.expect(from, event(p.session, "Page.frameAttached"))[0].str("frameId")
		p.expect(from, frame(p.session, "Page.lifecycleEvent", child, "name", "networkIdle"))
		close(proceed)
		framed := p.expect(from, frame(p.session, "Page.frameNavigated", child))[0].str("frame", "loaderId")
		p.expect(from, event(p.session, "Page.lifecycleEvent", "loaderId", loader, "name", "load"), idle(p, framed))
	})
	l.fact(t, "/leaf", "an idle network is announced too early to whoever enables the events after the document", func(p *tab) {
		requested, proceed := make(chan struct{}), make(chan struct{})
		p.site.page("/asks-late", `<script>onload = () => setTimeout(() => fetch("/data"))</script>`)
		p.site.handle("/data", func(http.ResponseWriter, *http.Request) {
			close(requested)
			<-proceed
		})
		loader := p.call(p.session, "Page.navigate", params{"url": p.site.url("a", "/asks-late")})["loaderId"]
		<-requested
		from := p.mark()
		p.call(p.session, "Page.setLifecycleEventsEnabled", params{"enabled": true})
		p.expect(from, idle(p, loader))
		close(proceed)
	})
}

// A document's requests are announced by the browser, the document itself by its renderer, so that either may come
// first: what is about to come is known from the start of its navigation alone.
func TestFactsAboutTheStartsOfNavigations(t *testing.T) {
	t.Parallel()
	l := loadingLab(t)
	l.conn.Subscribe("Fetch.requestPaused")
	l.site.handle("/gone", func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) })
	// begins expects the start of a navigation, then its request, then its document, with the loader that the start named.
	begins := func(p *tab, from mark, before, after, id, url string, requests bool) {
		p.t.Helper()
		started := frame(before, "Page.frameStartedNavigating", id, "url", url)
		loader := p.expect(from, started)[0].str("loaderId")
		if requests {
			p.proceed(p.expect(from, started, frame(before, "Fetch.requestPaused", id))[1])
		}
		p.expect(from, frame(after, "Page.frameNavigated", id, "frame.loaderId", loader))
	}

	l.fact(t, "/leaf", "the start of a navigation comes before its request, and names the loader of its document", func(p *tab) {
		p.call(p.session, "Fetch.enable", documents)
		for _, path := range []string{"/two", "/gone"} {
			from := p.mark()
			p.start(p.session, `location = "`+path+`"; 0`)
			begins(p, from, p.session, p.session, p.target, p.site.url("a", path), true)
		}
	})
	l.fact(t, "/leaf", "that of a document without a request too", func(p *tab) {
		for _, url := range []string{"about:blank#", "data:text/html,x"} {
			from := p.mark()
			p.send(p.session, "Page.navigate", params{"url": url})
			begins(p, from, p.session, p.session, p.target, url, false)
		}
	})
	for _, open := range []string{`open("/two"); 0`, `open("/two", "", "noopener"); 0`} {
		l.fact(t, "/leaf", "that of a new tab too: "+open, func(p *tab) {
			from := p.mark()
			p.start(p.session, open)
			popup := p.expect(from, event("", "Target.attachedToTarget", "waitingForDebugger", true))[0]
			session := popup.str("sessionId")
			begins(p, from, session, session, popup.str("targetInfo", "targetId"), p.site.url("a", "/two"), false)
		})
	}
	l.fact(t, "/tree", "those of frames come from the session that the frame is in before it navigates", func(p *tab) {
		x1, id := p.oopif(p.session, l.site.url("b", "/x1"))
		for _, session := range []string{p.session, x1} {
			p.call(session, "Fetch.enable", documents)
		}
		from := p.mark()
		p.start(p.session, `document.getElementById("x1").src = "/leaf"`)
		begins(p, from, x1, p.session, id, p.site.url("a", "/leaf"), true)
		from = p.mark()
		p.start(p.session, `document.getElementById("x1").src = "/two"`)
		begins(p, from, p.session, p.session, id, p.site.url("a", "/two"), true)
	})
}
