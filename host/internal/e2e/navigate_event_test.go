package e2e

import (
	"strings"
	"testing"

	"github.com/hermes-cdp/hermes-cdp/abi"
	"github.com/hermes-cdp/hermes-cdp/host"
)

// Every way to load a document over the network, and what the module is told. $T is the address that it denies.
func TestEveryNavigationIsAskedAbout(t *testing.T) {
	const top, local, oopif = abi.FrameKindTop, abi.FrameKindLocal, abi.FrameKindOOPIF
	for _, tc := range []struct {
		name, page, script string
		kind               abi.FrameKind
		method             string // empty: GET
		from               string // the document in the frame; empty: /page at localhost
		parent             bool
		popup              bool
	}{
		{name: "location", script: `location = "$T"`, kind: top},
		{name: "a link", page: `<a id=a href="$T">x</a>`, script: `a.click()`, kind: top},
		{name: "meta refresh", page: `<meta http-equiv=refresh content="0;url=$T">`, kind: top},
		{name: "a form", page: `<form id=f action="$T"></form>`, script: `f.submit()`, kind: top},
		{name: "a form that posts", page: `<form id=f method=post action="$T"><input name=a value=b></form>`, script: `f.submit()`, kind: top, method: "POST"},
		{name: "reload of a pushed address", script: `history.pushState(0, "", "/x!e"); location.reload()`, kind: top, from: "http://localhost/x!e"},
		{name: "a popup", script: `open("$T")`, kind: top, from: "about:blank", popup: true},
		{name: "a popup without an opener", script: `open("$T", "", "noopener")`, kind: top, from: "about:blank", popup: true},
		{name: "a link into a new tab", page: `<a id=a target=_blank href="$T">x</a>`, script: `a.click()`, kind: top, from: "about:blank", popup: true},
		{name: "a new frame of the same site", page: `<iframe src="/x!e"></iframe>`, kind: local, from: "about:blank", parent: true},
		{name: "a new frame of another site", page: `<iframe src="$T"></iframe>`, kind: local, from: "about:blank", parent: true},
		{name: "a frame of the same site", page: `<iframe name=i src="/empty"></iframe>`, script: `i.location = "$T"`, kind: local, from: "http://localhost/empty", parent: true},
		{name: "an OOPIF that goes on", page: `<iframe name=i src="{{127.0.0.1}}/empty"></iframe>`, script: `i.location = "$T"`, kind: oopif, from: "http://127.0.0.1/empty", parent: true},
		{name: "an OOPIF that comes home", page: `<iframe name=i src="{{127.0.0.1}}/empty"></iframe>`, script: `i.location = "/x!e"`, kind: oopif, from: "http://127.0.0.1/empty", parent: true},
		{name: "a new frame in an OOPIF", page: `<iframe src="{{127.0.0.1}}/inner"></iframe>`, kind: local, from: "about:blank", parent: true},
		{name: "an object", page: `<object type="text/html" data="$T"></object>`, kind: local, from: "about:blank", parent: true},
		{name: "an embed", page: `<embed type="text/html" src="$T">`, kind: local, from: "about:blank", parent: true},
		{name: "a sandboxed frame", page: `<iframe sandbox src="$T"></iframe>`, kind: local, from: "about:blank", parent: true},
	} {
		t.Run(tc.name, func(t *testing.T) {
			pages := map[string]string{"/page": strings.ReplaceAll(tc.page, "$T", "{{b.localhost}}/x!e"), "/inner": `<iframe src="/x!e"></iframe>`}
			g := newGuarded(t, pages)
			_ = commit(g.ctx, g.Tab(""), g.url("localhost", "/page")) // a refresh may be faster than its reply
			if tc.script != "" {
				g.await("the page with its frames", func(s *host.Snapshot) bool {
					p := s.Page()
					return p != nil && p.URL == g.url("localhost", "/page") && (!strings.Contains(tc.page, "/empty") ||
						len(p.RawFrameTree.Children) == 1 && strings.HasSuffix(p.RawFrameTree.Children[0].URL, "/empty"))
				})
				g.loaded() // Chromium drops what begins while it takes in the frame's document
				g.start(strings.ReplaceAll(tc.script, "$T", g.url("b.localhost", "/x!e")))
			}
			s := g.await("a denial", func(s *host.Snapshot) bool { return len(s.RecentNavigations) > 0 })
			d := s.RecentNavigations[0]
			e := eventOf(t, d)
			onPort := func(url string) string {
				if rest, ok := strings.CutPrefix(url, "http://"); ok {
					host, path, _ := strings.Cut(rest, "/")
					return g.url(host, "/"+path)
				}
				return url
			}
			from := onPort(tc.from)
			if tc.from == "" {
				from = g.url("localhost", "/page")
			}
			wantMethod := tc.method
			if wantMethod == "" {
				wantMethod = "GET"
			}
			want(t, "method", e.Method, wantMethod)
			want(t, "frame kind", e.FrameKind, tc.kind)
			want(t, "frame kind of the denial", d.FrameKind, host.FrameKind(tc.kind.String()))
			want(t, "from", e.FromURL, from)
			want(t, "popup", e.Popup, tc.popup)
			want(t, "has a parent", e.ParentFrameID != "", tc.parent)
			want(t, "target", e.TargetID, d.TargetID)
			want(t, "frame", e.FrameID, d.FrameID)
			want(t, "the address", e.URL, d.URL)
			want(t, "origin", e.Origin, e.URL[:strings.LastIndex(e.URL, "/")])
			if !tc.popup {
				want(t, "origin of the top document", e.TopOrigin, g.url("localhost", ""))
			}
			want(t, "redirects", e.Redirects, 0)
			g.never("/x!e")
		})
	}
}

func TestEveryRedirectIsAskedAbout(t *testing.T) {
	g := newGuarded(t, map[string]string{"/page": `<iframe name=i></iframe>`})
	for _, code := range []string{"301", "302", "303", "307", "308"} {
		second := g.redirect("302", g.url("b.localhost", "/x!e"))
		e := eventOf(t, wantDenied(t, commit(g.ctx, g.Tab(""), g.redirect(code, second))))
		want(t, "redirects after "+code, e.Redirects, 2)
		want(t, "the address before", e.RedirectedFrom, second)
		want(t, "the address", e.URL, g.url("b.localhost", "/x!e"))
	}
	g.open("/page")
	g.start(`i.location = "` + g.redirect("302", g.url("b.localhost", "/y!e")) + `"`)
	e := eventOf(t, g.denied(g.url("b.localhost", "/y!e")))
	want(t, "redirects in a frame", e.Redirects, 1)
	g.never("/x!e")
	g.never("/y!e")
}
