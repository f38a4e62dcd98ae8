package agents

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/hermes-cdp/hermes-cdp/host"
	"github.com/hermes-cdp/hermes-cdp/host/internal/e2e/shared"
)

// hangingPage has what leads to a server that never answers, and a button that shows whether the page works.
const hangingPage = `<button id=mark onclick="this.textContent = 'marked'">mark</button><a id=hang href=/after>hang</a>`

// newHanging is a user at such a page.
func newHanging(t *testing.T) *user {
	t.Helper()
	u := newBench(t, common.Address(t), host.Options{}).newUser(t, host.TaskOptions{})
	u.good("browser_navigate", arguments{"url": "{{localhost}}/hanging"})
	return u
}

// works checks that the page that is there can be read, acted on and evaluated.
func (u *user) works(path string) {
	u.t.Helper()
	url := shared.Dump(u.URL("localhost", path))
	r := u.good("browser_snapshot", nil)
	want(u.t, r, "url", url)
	want(u.t, r, "stale", "null")
	u.good("browser_click", arguments{"selector": "#mark"})
	want(u.t, u.good("browser_evaluate", arguments{"expression": "document.querySelector('#mark').textContent"}), "result", `"marked"`)
}

// pace is how long a navigation takes that nothing hinders.
func (u *user) pace() shared.Pace {
	return shared.Measure(func() { u.good("browser_navigate", arguments{"url": "{{localhost}}/two"}) })
}

// leaves checks that the next navigation takes no longer than one that nothing hinders, with much to spare, but less
// than it takes to find out that a page does not answer.
func (u *user) leaves(usual shared.Pace) {
	u.t.Helper()
	if took := u.pace(); time.Duration(took) > usual.Times(20, 2*time.Second) {
		u.t.Errorf("the next navigation took %v, and %v with nothing that hangs", time.Duration(took), time.Duration(usual))
	}
}

func TestANavigationThatIsNotAnsweredIsStoppedAndThePageWorksOn(t *testing.T) {
	t.Parallel()
	u := newHanging(t)
	usual := u.pace()
	u.good("browser_navigate", arguments{"url": "{{localhost}}/hanging"})
	defer u.Hold("/after")()
	address := u.URL("localhost", "/after")
	u.bad("browser_navigate", arguments{"url": "{{localhost}}/after?token=secret", "timeout_ms": 4000}, "timeout", address, "has not answered", "the page before it stays")
	u.works("/hanging")
	r := u.call("browser_interact", arguments{"actions": []arguments{{"action": "goto", "url": "{{localhost}}/after", "timeout_ms": 4000}}})
	want(t, r, "results.0.code", `"timeout"`)
	if !strings.Contains(r.Text, address+" has not answered") {
		t.Errorf("goto does not name what has not answered: %s", show(r))
	}
	u.works("/hanging")
	u.leaves(usual)
	u.bad("browser_tabs", arguments{"action": "open", "url": "{{localhost}}/after", "timeout_ms": 4000}, "timeout", address)
	want(t, u.good("browser_evaluate", arguments{"expression": "location.href"}), "result", `"about:blank"`)
	u.leaves(usual)
}

// Half of a page is a page, which goes on loading.
func TestAPageThatNeverEndsWorks(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ more, held string }{
		"half of the body":         {"", ""},
		"a subresource":            {"<img src=/logo.svg>", "/logo.svg"},
		"a script that is awaited": {"<script src=/log.js></script>", "/log.js"},
		"while scripts run often":  {"<img src=/logo.svg><script>setInterval(() => { for (const end = performance.now() + 250; performance.now() < end;); }, 300)</script>", "/logo.svg"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			u := newHanging(t)
			usual := u.pace()
			end := make(chan struct{})
			defer close(end)
			u.Handle("/half", func(w http.ResponseWriter, r *http.Request) {
				w.Header().Set("Content-Type", "text/html")
				_, _ = w.Write([]byte("<!doctype html>" + hangingPage + c.more))
				w.(http.Flusher).Flush()
				if c.held == "" {
					select {
					case <-end:
					case <-r.Context().Done():
					}
				}
			})
			if c.held != "" {
				defer u.Hold(c.held)()
			}
			strictly := arguments{"url": "{{localhost}}/half", "wait_until": "load", "timeout_ms": shared.Patience(8 * time.Second).Milliseconds()}
			u.failed(u.answered("browser_navigate", strictly), "browser_navigate "+name, "timeout", u.URL("localhost", "/half"), "is there, but has not reached load")
			u.works("/half")
			u.leaves(usual)
		})
	}
}

// Who names no state to wait for gets the page as it is before the call's time ends.
func TestAPageThatGoesOnLoadingIsReadAsItIs(t *testing.T) {
	t.Parallel()
	u := newHanging(t)
	defer u.Hold("/logo.svg")()
	u.Handle("/half", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		_, _ = w.Write([]byte("<!doctype html>" + hangingPage + "<img src=/logo.svg>"))
	})
	limit := shared.Patience(30 * time.Second).Milliseconds()
	r := u.good("browser_navigate", arguments{"url": "{{localhost}}/half", "timeout_ms": limit})
	want(t, r, "warnings", `["the page goes on loading: what is missing may still come"]`)
	u.works("/half")
	r = u.good("browser_interact", arguments{"actions": []arguments{{"action": "goto", "url": "{{localhost}}/half", "timeout_ms": limit}}})
	want(t, r, "results.0.result.unfinished", `"the page goes on loading: what is missing may still come"`)
}

// Of a response that ends too early Chromium makes a document that is never complete. It is not waited for.
func TestAResponseThatBreaksOffIsSaid(t *testing.T) {
	t.Parallel()
	u := newHanging(t)
	// What arrives together with the end may be dropped by Chromium, so that the page would be empty.
	parsed := make(chan struct{}, 3)
	u.Handle("/parsed", func(http.ResponseWriter, *http.Request) { parsed <- struct{}{} })
	u.Handle("/half", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		w.Header().Set("Content-Length", "100000")
		_, _ = w.Write([]byte("<!doctype html>" + hangingPage + `<script>fetch("/parsed")</script>`))
		w.(http.Flusher).Flush()
		select {
		case <-parsed:
		case <-r.Context().Done():
		}
		panic(http.ErrAbortHandler)
	})
	for _, until := range []string{"", "load", "domcontentloaded"} {
		call := arguments{"url": "{{localhost}}/half", "timeout_ms": shared.Patience(30 * time.Second).Milliseconds()}
		if until != "" {
			call["wait_until"] = until
		}
		r := u.good("browser_navigate", call)
		want(t, r, "warnings", `["the response broke off before its end: the page is what had arrived, and will not get more"]`)
		u.works("/half")
	}
}

// A navigation to a page whose script never ends has left the page before it, and does not say that nothing ran.
func TestANavigationToAPageThatSpinsSaysThatThePageIsThere(t *testing.T) {
	t.Parallel()
	for name, script := range map[string]string{
		"at once":            `while (true) {}`,
		"after it was there": `setTimeout(() => { while (true) {} }, 500)</script><img src=/logo.svg><script>`,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			u := newHanging(t)
			defer u.Hold("/logo.svg")()
			u.Handle("/spins", func(w http.ResponseWriter, r *http.Request) {
				w.Header().Set("Content-Type", "text/html")
				_, _ = w.Write([]byte("<!doctype html><p>there</p><script>" + script + "</script>"))
			})
			limit := shared.Patience(4 * time.Second).Milliseconds()
			r := u.bad("browser_navigate", arguments{"url": "{{localhost}}/spins", "wait_until": "load", "timeout_ms": limit}, "renderer_busy", u.URL("localhost", "/spins"), "is there, but has not reached load")
			if strings.Contains(r.Text, "nothing was run") {
				t.Errorf("it says that nothing was run: %s", show(r))
			}
		})
	}
}

func TestAClickWhoseLoadHangsNamesItAndThePageSaysWhyItDoesNotAnswer(t *testing.T) {
	t.Parallel()
	u := newHanging(t)
	usual := u.pace()
	u.good("browser_navigate", arguments{"url": "{{localhost}}/hanging"})
	release := u.Hold("/after")
	defer release()
	address := u.URL("localhost", "/after")
	want(t, u.good("browser_click", arguments{"selector": "#hang"}), "navigating", shared.Dump(address))
	r := u.good("browser_snapshot", nil)
	want(t, r, "stale", "true")
	for _, words := range []string{address, "has not answered"} {
		if !strings.Contains(r.Text, words) {
			t.Errorf("the snapshot does not say %q: %s", words, show(r))
		}
	}
	u.bad("browser_click", arguments{"selector": "#mark"}, "loading", address)
	u.bad("browser_evaluate", arguments{"expression": "1"}, "loading", address)
	u.leaves(usual)

	// A reload stays at the page; what is slow may still come.
	u.good("browser_navigate", arguments{"url": "{{localhost}}/hanging"})
	want(t, u.good("browser_click", arguments{"selector": "#hang"}), "navigating", shared.Dump(address))
	u.good("browser_reload", nil)
	u.works("/hanging")
	want(t, u.good("browser_click", arguments{"selector": "#hang"}), "navigating", shared.Dump(address))
	release()
	u.good("browser_wait_for", arguments{"text": "after"})
	u.shows("after", "/after")
}

func TestAReloadOrAStepBackThatHangsNamesTheAddress(t *testing.T) {
	t.Parallel()
	u := newHanging(t)
	release := u.Hold("/hanging")
	defer release()
	want(t, u.good("browser_reload", nil), "navigating", shared.Dump(u.URL("localhost", "/hanging")))
	u.bad("browser_click", arguments{"selector": "#mark"}, "loading", u.URL("localhost", "/hanging"))
	release()
	u.good("browser_reload", nil)
	u.works("/hanging")
}
