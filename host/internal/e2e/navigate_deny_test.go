package e2e

import (
	"strings"
	"testing"

	"github.com/hermes-cdp/hermes-cdp/host"
	"github.com/hermes-cdp/hermes-cdp/host/internal/e2e/shared"
)

func TestADeniedNavigationSaysWhoDeniedItAndWhy(t *testing.T) {
	g := newGuarded(t, nil)
	events := g.Events(100)
	g.open("/empty")
	err := commit(g.ctx, g.Tab(""), g.url("b.localhost", "/x!d"))
	d := wantDenied(t, err)
	want(t, "address", d.URL, g.url("b.localhost", "/x!d"))
	want(t, "reason", d.Reason, "the address says so.")
	want(t, "plugin", d.DecidedBy.Module, "guard")
	want(t, "rule", d.DecidedBy.Rule, "bang")
	want(t, "hash", d.DecidedBy.SHA256, g.pluginInfo("guard").SHA256)
	want(t, "fell closed", d.FailedClosed, false)
	want(t, "error", err.Error(), `navigation failed: denied by plugin "guard", rule "bang": the address says so.`)
	want(t, "recent", len(g.Snapshot().RecentNavigations), 1)
	g.never("/x!d")
	g.goes(g.url("localhost", "/empty"), "/empty") // the tab is as usable as before
	events.Close()
	told := 0
	for e := range events.C {
		if e.Kind == host.EventNavigationDenied {
			told++
			want(t, "reason of the event", e.Navigation.Reason, d.Reason)
		}
	}
	want(t, "events", told, 1)
	c := g.host.Counters().Navigations
	want(t, "counted", c, host.NavigationCounters{Asked: 3, Allowed: 2, Denied: 1, Unseen: c.Unseen})
}

// An agent whose click led nowhere knows why, and need not read the browser's error page for it.
func TestAnActionSaysWhatItsNavigationFailedOf(t *testing.T) {
	g := newGuarded(t, map[string]string{"/page": `<a id=denied href="/x!d">x</a> <a id=window href="/x!d" target=_blank>x</a>
		<a id=refused href="http://127.0.0.1:9/">x</a> <a id=unknown href="http://nosuchhost.invalid/" target=_blank>x</a> <a id=fine href="/empty">x</a>`})
	const denied = `denied by plugin "guard", rule "bang": the address says so.`
	for _, tc := range []struct{ link, to, why string }{
		{"denied", g.url("localhost", "/x!d"), denied},
		{"refused", "http://127.0.0.1:9/", "net::ERR_UNSAFE_PORT"},
		{"fine", g.url("localhost", "/empty"), ""},
	} {
		g.open("/page")
		acted, err := g.Tab("").Click(g.unhurried(), host.BySelector("#"+tc.link), nil)
		if err != nil || acted.Navigated != tc.to || acted.NavigationFailed != tc.why {
			t.Errorf("%s: %+v, %v", tc.link, acted, err)
		}
	}
	for link, why := range map[string]string{"window": denied, "unknown": "the browser shows its error page"} {
		g.open("/page")
		acted, err := g.Tab("").Click(g.unhurried(), host.BySelector("#"+link), nil)
		if err != nil || len(acted.NewTabs) != 1 || acted.NewTabs[0].Failed != why || acted.NavigationFailed != "" {
			t.Errorf("%s: %+v, %v", link, acted, err)
		}
	}
}

// A window that is closed because pages have opened too many runs for a moment, and is no way around the hook.
func TestAWindowTooManyGoesNowhereElse(t *testing.T) {
	t.Parallel()
	address, _ := shared.Own(t)
	g := newGuardedOn(t, address, guardOptions(), map[string]string{"/page": `<script>
		function flood() { for (let i = 0; i < 50; i++) open("/empty"); for (let i = 0; i < 10; i++) open("/x!d") }</script>`}, host.TaskOptions{})
	g.open("/page")
	if _, err := g.Tab("").Evaluate(g.unhurried(), "flood()", nil); err != nil {
		t.Fatal(err)
	}
	g.await("those that are too many are closed", func(s *host.Snapshot) bool { return len(s.Targets) == 51 && len(s.RecentNavigations) >= 10 })
	g.never("/x!d")
}

func TestOnlyTheLastDenialsAreKept(t *testing.T) {
	g := newGuarded(t, map[string]string{"/page": strings.Repeat(`<iframe src="/x!d"></iframe>`, 25)})
	g.open("/page")
	g.await("25 denials", func(*host.Snapshot) bool { return g.host.Counters().Navigations.Denied == 25 })
	want(t, "kept", len(g.Snapshot().RecentNavigations), 20)
	wantDenied(t, commit(g.ctx, g.Tab(""), g.url("localhost", "/y!d")))
}

// What is loaded without a request no module can be asked about. It is counted, and what comes of it is asked about
// again.
func TestWhatIsNotSeenIsCounted(t *testing.T) {
	for _, tc := range []struct{ name, script, url string }{
		{"about:blank", `location = "about:blank"`, "about:blank"},
		{"a data: address in a frame", `document.body.innerHTML = "<iframe src='data:text/html,!d'></iframe>"`, "data:text/html,!d"},
		{"srcdoc", `document.body.innerHTML = "<iframe srcdoc='!d'></iframe>"`, "about:srcdoc"},
		{"a blob: address", `location = URL.createObjectURL(new Blob(["!d"], {type: "text/html"}))`, "blob:"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			g := newGuarded(t, nil)
			g.open("/empty")
			before := g.host.Counters().Navigations
			unseen := g.Snapshot().NavigationsUnseen
			g.start(tc.script)
			g.await("its document", func(s *host.Snapshot) bool {
				frames := append([]host.Frame{s.Page().RawFrameTree.Top}, s.Page().RawFrameTree.Children...)
				return strings.HasPrefix(frames[len(frames)-1].URL, tc.url) && s.NavigationsUnseen > unseen
			})
			after := g.host.Counters().Navigations
			want(t, "asked", after.Asked, before.Asked)
			if after.Unseen <= before.Unseen {
				t.Errorf("%d were not seen, before %d", after.Unseen, before.Unseen)
			}
		})
	}
}

func TestADocumentOfTheBackForwardCacheIsNotSeen(t *testing.T) {
	g := newGuarded(t, nil)
	g.open("/empty")
	g.goes(g.at("/echo"), "GET")
	before := g.host.Counters().Navigations
	g.start("history.back()")
	g.lands(g.url("localhost", "/empty"), "/empty")
	g.await("the count", func(s *host.Snapshot) bool { return g.host.Counters().Navigations.Unseen == before.Unseen+1 })
	want(t, "asked", g.host.Counters().Navigations.Asked, before.Asked)
}

func TestDownloadsAndPasswordsAreAsTheyWere(t *testing.T) {
	g := newGuarded(t, nil)
	g.goes(strings.Replace(g.at("/auth"), "http://", "http://ada:secret@", 1), "")
	want(t, "the page", g.evaluate("document.body.innerText"), `"ada"`)
	err := commit(g.ctx, g.Tab(""), g.at("/file"))
	wantError(t, err, host.ErrNavigate)
	if !strings.Contains(err.Error(), "net::ERR_ABORTED") {
		t.Errorf("a download gives %v", err)
	}
	wantDenied(t, commit(g.ctx, g.Tab(""), g.at("/file?!d")))
}
