package e2e

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	cdppage "github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/cdproto/target"

	"github.com/hermes-cdp/hermes-cdp/host"
	"github.com/hermes-cdp/hermes-cdp/host/internal/e2e/shared"
)

// secretFile is a page that only a file: address leads to.
func secretFile(t *testing.T) (address string) {
	t.Helper()
	return pageFile(t, "<title>the secret</title>the secret")
}

// pageFile gives the address of a page that is a file.
func pageFile(t *testing.T, html string) (address string) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "secret.html")
	if err := os.WriteFile(path, []byte("<!doctype html>"+html), 0o600); err != nil {
		t.Fatal(err)
	}
	return "file://" + path
}

func TestAddressesOfOtherSchemesAreRefused(t *testing.T) {
	w := newWorld(t, nil, host.TaskOptions{})
	w.open("/empty")
	file := secretFile(t)
	for _, address := range []string{
		file, strings.ToUpper(file[:4]) + file[4:], "fi\tle" + file[4:], " \x01" + file, "file\n" + file[4:], "chrome://version", "chrome://quit", "Chrome://crash",
		"devtools://devtools/bundled/inspector.html", "view-source:" + w.url("localhost", "/empty"), "view-source:" + file,
		"filesystem:" + w.url("localhost", "/temporary/x"), "about:version", "javascript:document.title='ran'", "ftp://localhost/", "intent://x#Intent;end",
	} {
		for way, do := range map[string]func() error{
			"Navigate": func() error { return commit(w.ctx, w.Tab(""), address) },
			"Load":     func() error { _, err := w.Tab("").Navigate(w.ctx, address, nil); return err },
			"OpenTab":  func() error { _, err := w.OpenTab(w.ctx, address); return err },
			"Attach": func() error {
				_, err := w.host.Attach(w.ctx, t.Name()+"-second", w.address, &host.TaskOptions{Scope: host.ScopeContext, URL: address})
				return err
			},
			"Page.navigate": func() error {
				_, err := w.CDP(w.ctx, host.CDPCall{Method: "Page.navigate", Params: params("url", address)})
				return err
			},
			"Target.createTarget": func() error {
				_, err := w.CDP(w.ctx, host.CDPCall{Method: "Target.createTarget", Params: params("url", address)})
				return err
			},
			"Network.loadNetworkResource": func() error {
				_, err := w.CDP(w.ctx, host.CDPCall{Method: "Network.loadNetworkResource", Params: params("frameId", w.Snapshot().Page().ID, "url", address,
					"options", map[string]bool{"disableCache": true, "includeCredentials": true})})
				return err
			},
		} {
			if err := do(); !errors.Is(err, host.ErrRefused) || host.CodeOf(err) != host.ErrRefused || strings.Contains(err.Error(), "secret.html") {
				t.Errorf("%s %q: got %v, want it refused, without the address", way, address, err)
			}
		}
	}
	want(t, "tabs", len(w.Tabs()), 1)
	want(t, "title", w.evaluate("document.title"), `"/empty"`)
	want(t, "denials", len(w.Snapshot().RecentNavigations), 0)
	for address, fine := range map[string]bool{"about:blank#x": true, "data:text/html,<title>x</title>": true, "example.com": false, "": false} {
		if err := commit(w.ctx, w.Tab(""), address); (err == nil) != fine || err != nil && !errors.Is(err, host.ErrNavigate) {
			t.Errorf("%q: got %v", address, err)
		}
	}
}

// The oracle is another client, which hears of every document that the tab and what it opens come to show.
func TestNoPageLeadsToOtherSchemes(t *testing.T) {
	g := newGuardedOn(t, common.Address(t), host.Options{}, map[string]string{"/page": "<title>page</title>text"}, host.TaskOptions{})
	file := secretFile(t)
	client := newRawClient(g.ctx, t, g.address, "Page.frameNavigated")
	session := client.attach(g.Snapshot().Page().ID)
	client.call(session, cdppage.CommandEnable, nil, nil)
	const universal = "grantUniveralAccess" // that is how the protocol spells it
	for _, address := range []string{file, "chrome://version/"} {
		quoted, _ := json.Marshal(address)
		for name, script := range map[string]string{
			"location":                "location = TO",
			"a tab":                   "open(TO)",
			"a tab without an opener": `open(TO, "", "noopener")`,
			"a tab that goes there":   `w = open("about:blank"); w.location = TO`,
			"a frame":                 `f = document.createElement("iframe"); f.src = TO; document.body.append(f)`,
			"a link":                  `a = document.createElement("a"); a.href = TO; document.body.append(a); a.click()`,
			"a form":                  `f = document.createElement("form"); f.action = TO; document.body.append(f); f.submit()`,
			"a refresh":               `m = document.createElement("meta"); m.httpEquiv = "refresh"; m.content = "0;url=" + TO; document.head.append(m)`,
			"a redirect":              `location = "` + g.redirect("302", address) + `"`,
			"a redirect in a frame":   `f = document.createElement("iframe"); f.src = "` + g.redirect("307", address) + `"; document.body.append(f)`,
			"an object":               `o = document.createElement("object"); o.data = TO; document.body.append(o)`,
			"a blob with a frame":     `location = URL.createObjectURL(new Blob(["<iframe src='" + TO + "'></iframe>"], {type: "text/html"}))`,
		} {
			for _, world := range []string{"main", "universal"} {
				g.open("/page")
				expression := strings.ReplaceAll(script, "TO", string(quoted))
				evaluate := params("expression", expression, "userGesture", true)
				if world == "universal" {
					made := g.raw(host.CDPCall{Method: "Page.createIsolatedWorld", Params: params("frameId", g.Snapshot().Page().ID, universal, true)})
					evaluate = params("expression", expression, "userGesture", true, "contextId", made["executionContextId"])
				}
				_, err := g.CDP(g.ctx, host.CDPCall{Method: "Runtime.evaluate", Params: evaluate})
				if err != nil {
					t.Logf("%s by %s in the %s world: %v", address, name, world, err)
				}
			}
		}
	}
	g.open("/page")
	var all struct {
		Targets []struct {
			URL string `json:"url"`
		} `json:"targetInfos"`
	}
	client.call("", "Target.getTargets", nil, &all) // what was told before has come
	var shown []string
	for _, target := range all.Targets {
		shown = append(shown, target.URL)
	}
	for len(client.events) > 0 {
		var e struct{ Frame struct{ URL string } }
		decode(t, string(client.next().Params), &e)
		shown = append(shown, e.Frame.URL)
	}
	for _, address := range shown {
		if scheme, _, _ := strings.Cut(address, ":"); slices.Contains([]string{"file", "chrome", "devtools", "view-source"}, scheme) {
			t.Errorf("%s was shown", address)
		}
	}
	if !slices.Contains(shown, g.url("localhost", "/page")) {
		t.Errorf("the other client heard of no page: %v", shown)
	}
}

// What an agent's own interception of requests does is Chromium's to judge, too.
func TestNoInterceptionLeadsToOtherSchemes(t *testing.T) {
	w := newWorld(t, nil, host.TaskOptions{})
	file := secretFile(t)
	client := newRawClient(w.ctx, t, w.address, "Fetch.requestPaused")
	session := client.attach(w.Snapshot().Page().ID)
	client.call(session, "Fetch.enable", nil, nil)
	held := func() (request string, navigated chan error) {
		navigated = make(chan error, 1)
		go func() { navigated <- commit(w.ctx, w.Tab(""), w.url("localhost", "/empty")) }()
		var paused struct{ RequestID string }
		decode(t, string(client.next().Params), &paused)
		return paused.RequestID, navigated
	}
	request, navigated := held()
	client.call(session, "Fetch.fulfillRequest", map[string]any{
		"requestId": request, "responseCode": 302, "responseHeaders": []map[string]string{{"name": "Location", "value": file}},
	}, nil)
	if err := <-navigated; !errors.Is(err, host.ErrNavigate) || !strings.Contains(err.Error(), "ERR_UNSAFE_REDIRECT") {
		t.Errorf("redirected to a file: %v", err)
	}
	request, navigated = held()
	if _, err := w.CDP(w.ctx, host.CDPCall{Method: "Fetch.continueRequest", Params: params("requestId", request, "url", file)}); !errors.Is(err, host.ErrRefused) {
		t.Errorf("continued to a file: %v", err)
	}
	client.call(session, "Fetch.continueRequest", map[string]any{"requestId": request}, nil)
	if err := <-navigated; err != nil {
		t.Error(err)
	}
}

// What a person or the browser itself opens comes without a question.
func TestADocumentOfAnotherSchemeIsLeftAtOnce(t *testing.T) {
	w := newWorldAlone(t, nil, host.TaskOptions{Scope: host.ScopeBrowser})
	w.open("/empty")
	before := w.host.Counters().Navigations.Refused
	client := newRawClient(w.ctx, t, w.address)
	for i, address := range []string{secretFile(t), "chrome://version/"} {
		var made struct {
			TargetID string `json:"targetId"`
		}
		client.call("", "Target.createTarget", map[string]any{"url": address}, &made)
		w.await("the denial of "+address, func(s *host.Snapshot) bool {
			return len(s.RecentNavigations) > i && s.RecentNavigations[i].URL == address && s.RecentNavigations[i].TargetID == made.TargetID
		})
		w.await("an empty document", func(s *host.Snapshot) bool {
			tab := s.Target(made.TargetID)
			return tab != nil && tab.RawFrameTree.Top.URL == "about:blank"
		})
		_, err := w.Tab(made.TargetID).Back(w.ctx)
		// The tab has no such page any more, or may not go there.
		if !errors.Is(err, host.ErrNavigate) && !errors.Is(err, host.ErrRefused) {
			t.Errorf("back to %s: %v", address, err)
		}
	}
	want(t, "refused", w.host.Counters().Navigations.Refused, before+2)
	reason := w.Snapshot().RecentNavigations[0].Reason
	if !strings.Contains(reason, `"file"`) || !strings.Contains(reason, "browser.allow_schemes") {
		t.Errorf("the reason is %q", reason)
	}
	session := client.attach(w.Tabs()[0].Info().TargetID)
	client.navigate(session, "chrome://version/")
	w.await("another denial", func(s *host.Snapshot) bool { return len(s.RecentNavigations) == 3 })
	w.await("an empty document", func(s *host.Snapshot) bool { return s.Page().RawFrameTree.Top.URL == "about:blank" })
	w.usable()
}

func TestAnAllowedSchemeIsLoaded(t *testing.T) {
	t.Parallel()
	w := newWorldOn(t, common.Address(t), host.Options{AllowSchemes: []string{"file"}}, nil, host.TaskOptions{})
	if err := commit(w.ctx, w.Tab(""), secretFile(t)); err != nil {
		t.Fatal(err)
	}
	want(t, "title", w.evaluate("document.title"), `"the secret"`)
	if err := commit(w.ctx, w.Tab(""), "chrome://version/"); !errors.Is(err, host.ErrRefused) {
		t.Errorf("got %v", err)
	}
}

// What such a document opens has its origin, and so its powers, wherever it leads to. The witness is another client,
// which hears of every tab.
func TestWhatADocumentOfAnotherSchemeOpensIsClosed(t *testing.T) {
	w := newWorldAlone(t, map[string]string{"/page": "<title>page</title>"}, host.TaskOptions{Scope: host.ScopeBrowser})
	client := newRawClient(w.ctx, t, w.address, "Target.targetDestroyed")
	client.call("", target.CommandSetDiscoverTargets, params("discover", true), nil)
	for name, html := range map[string]string{
		"an empty tab":                   `<script>open("about:blank")</script>`,
		"an empty tab without an opener": `<script>open("about:blank", "", "noopener")</script>`,
		"script":                         `<script>open("javascript:'<title>ran</title>'")</script>`,
		"a tab that it writes to":        `<script>open().document.write("<iframe src=" + location + "></iframe>")</script>`,
		"a page of the network":          `<script>open("` + w.url("localhost", "/page") + `")</script>`,
		"a tab of a frame below it":      `<iframe srcdoc="<script>open()</script>"></iframe>`,
		"a tab of a frame in a sandbox":  `<iframe sandbox="allow-scripts allow-popups" srcdoc="<script>open()</script>"></iframe>`,
	} {
		t.Run(name, func(t *testing.T) {
			w, client := w.in(t), *client
			client.t = t
			var made target.CreateTargetResult
			client.call("", target.CommandCreateTarget, params("url", pageFile(t, html)), &made)
			id := string(made.TargetID)
			w.await("an empty document with nothing below it", func(s *host.Snapshot) bool {
				denied := slices.ContainsFunc(s.RecentNavigations, func(d host.DeniedNavigation) bool { return d.TargetID == id })
				return denied && s.Target(id).RawFrameTree.Top.URL == "about:blank" && len(s.Target(id).RawFrameTree.Children) == 0
			})
			for strings.Contains(client.targets(), `"openerId":"`+id+`"`) {
				client.next()
			}
		})
	}
	closed := slices.ContainsFunc(w.Snapshot().RecentNavigations, func(d host.DeniedNavigation) bool {
		return strings.Contains(d.Reason, "the tab was closed") && strings.Contains(d.Reason, `"file"`)
	})
	if !closed {
		t.Errorf("no denial says what was closed, and why: %+v", w.Snapshot().RecentNavigations)
	}
	w.usable()
}

// Nobody was there to close it when it was opened, and its address tells nothing: Chromium names the origin only in the
// worlds of its script. The witness is another client, which sees them, too.
func TestAnEmptyDocumentWithTheOriginOfAnotherSchemeIsLeft(t *testing.T) {
	t.Parallel()
	address, _ := shared.Own(t)
	client := newRawClient(testContext(t), t, address, "Target.targetCreated", "Runtime.executionContextCreated")
	client.call("", target.CommandSetDiscoverTargets, params("discover", true), nil)
	client.call("", target.CommandCreateTarget, params("url", pageFile(t, "<script>open('about:blank')</script>")), nil)
	opened := ""
	for opened == "" {
		var e struct {
			TargetInfo struct{ TargetID, OpenerID string }
		}
		if decode(t, string(client.next().Params), &e); e.TargetInfo.OpenerID != "" {
			opened = e.TargetInfo.TargetID
		}
	}
	client.call(client.attach(opened), runtime.CommandEnable, nil, nil)
	origin := func() string {
		for {
			m := client.next()
			if m.Method != "Runtime.executionContextCreated" {
				continue
			}
			var e struct{ Context struct{ Origin, Name string } }
			if decode(t, string(m.Params), &e); e.Context.Name == "" {
				return e.Context.Origin
			}
		}
	}
	want(t, "origin before", origin(), "file://")
	w := newWorldOn(t, address, host.Options{}, nil, host.TaskOptions{Scope: host.ScopeBrowser})
	for origin() == "file://" { // of the document that its opener asked for
	}
	w.await("the denial", func(s *host.Snapshot) bool {
		return slices.ContainsFunc(s.RecentNavigations, func(d host.DeniedNavigation) bool {
			return d.TargetID == opened && strings.Contains(d.Reason, `"file"`)
		})
	})
	w.usable()
}
