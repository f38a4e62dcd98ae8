package e2e

import (
	"net/url"
	"testing"

	"github.com/hermes-cdp/hermes-cdp/host"
	"github.com/hermes-cdp/hermes-cdp/host/internal/e2e/shared"
)

// emptied waits until the frame of a denial shows an empty document.
func (g *guardedWorld) emptied(d host.DeniedNavigation) {
	g.t.Helper()
	g.await("the end of "+d.URL, func(s *host.Snapshot) bool {
		p := s.Page()
		for _, f := range append([]host.Frame{p.RawFrameTree.Top}, p.RawFrameTree.Children...) {
			if f.FrameID == d.FrameID && f.URL == "about:blank" {
				return true
			}
		}
		return false
	})
}

func TestADocumentOfAServiceWorkerIsAskedAboutWhenItIsThere(t *testing.T) {
	g := newGuarded(t, nil)
	g.goes(g.trusted("/worker"), "worker")
	g.evaluate("ready.then(() => 1)")
	before := g.host.Counters().Navigations
	g.goes(g.trusted("/from-worker"), "of the worker")
	after := g.host.Counters().Navigations
	want(t, "unseen", after.Unseen, before.Unseen+1)
	want(t, "asked", after.Asked, before.Asked+1)
	g.start(`location = "/from-worker!d"`)
	g.emptied(g.denied(g.trusted("/from-worker!d")))
	g.goes(g.url("localhost", "/empty"), "/empty")
}

func TestADocumentOfAServiceWorkerInAFrameIsAskedAboutWhenItIsThere(t *testing.T) {
	for _, tc := range []struct{ host, kind string }{{"localhost", "local"}, {"127.0.0.1", "oopif"}} {
		t.Run(tc.kind, func(t *testing.T) {
			g := newGuarded(t, nil)
			if err := commit(g.ctx, g.Tab(""), g.url(tc.host, "/empty")); err != nil {
				t.Fatal(err)
			}
			g.loaded()
			g.start(`const i = document.createElement("iframe"); i.src = "` + g.trusted("/worker?"+url.QueryEscape("/from-worker!d")) + `"; document.body.append(i)`)
			d := g.denied(g.trusted("/from-worker!d"))
			want(t, "frame kind", d.FrameKind, host.FrameKind(tc.kind))
			g.emptied(d)
		})
	}
}

// A browser that the host has started loads nothing ahead, so no page evades the modules that way.
func TestABrowserThatTheHostStartsLoadsNothingAhead(t *testing.T) {
	rules := func(kind, url string) string {
		return `<script type=speculationrules>{"` + kind + `": [{"source": "list", "urls": ["` + url + `"], "eagerness": "immediate"}]}</script>`
	}
	w := newWorld(t, map[string]string{
		"/page": rules("prefetch", "/fetched") + rules("prefetch", "{{127.0.0.1}}/fetched") + rules("prerender", "/rendered"),
		"/next": "next", "/fetched": "fetched", "/rendered": "rendered",
	}, host.TaskOptions{})
	for _, path := range []string{"/page", "/next", "/page"} {
		w.open(path)
	}
	w.evaluate(`new Promise(done => requestIdleCallback(done))`)
	w.load("/next")
	for _, path := range []string{"/fetched", "/rendered"} {
		if n := w.Visits(path); n != 0 {
			t.Errorf("%s was visited %d times", path, n)
		}
	}
}

func TestADocumentThatWasFetchedAheadIsAskedAboutWhenItIsThere(t *testing.T) {
	t.Parallel()
	address, _ := shared.OwnAhead(t)
	g := newGuardedOn(t, address, guardOptions(), map[string]string{"/x!d": "secret"}, host.TaskOptions{})
	g.goes(g.at("/ahead?to="+url.QueryEscape(g.url("b.localhost", "/x!d"))), "ahead")
	g.visited("/x!d", 1)
	g.start(`location = "` + g.url("b.localhost", "/x!d") + `"`)
	g.emptied(g.denied(g.url("b.localhost", "/x!d")))
}
