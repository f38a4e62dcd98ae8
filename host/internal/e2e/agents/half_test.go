package agents

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/hermes-cdp/hermes-cdp/host/internal/e2e/shared"
)

// handleHalves serves a page whose second half comes after its first one has asked for /rest.
func (u *user) handleHalves() {
	rest := make(chan struct{}, 1)
	u.Handle("/rest", func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(http.StatusNoContent)
		select {
		case rest <- struct{}{}:
		default: // nobody waits any more
		}
	})
	u.Handle("/halves", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		_, _ = w.Write([]byte(`<!doctype html><p>first</p><script>setTimeout(() => fetch("/rest"), 300)</script>`))
		w.(http.Flusher).Flush()
		select {
		case <-rest:
			_, _ = w.Write([]byte(`<p id=second>second</p>`))
		case <-r.Context().Done():
		}
	})
}

// A click on a link returns when the page is there, which may be half of it. What reads it then waits for the rest.
func TestHalfAPageIsNotTakenForTheWholeOfIt(t *testing.T) {
	t.Parallel()
	for place, at := range map[string]struct{ page, frame string }{
		"the page":                    {`<a href="/halves">go</a>`, ""},
		"a frame":                     {`<a href="/framing">go</a>`, `<iframe src="/halves"></iframe>`},
		"a frame in another process":  {`<a href="/framing">go</a>`, `<iframe src="{{127.0.0.1}}/halves"></iframe>`},
		"a frame that a link changes": {`<a href="/halves" target=f>go</a><iframe name=f></iframe>`, ""},
	} {
		t.Run(place, func(t *testing.T) {
			t.Parallel()
			u := newHanging(t)
			u.handleHalves()
			u.Handle("/framing", func(w http.ResponseWriter, _ *http.Request) {
				_, _ = w.Write([]byte("<!doctype html><p>around</p>" + u.Expand(at.frame)))
			})
			for tool, a := range map[string]arguments{
				"browser_snapshot":     nil,
				"browser_extract_text": nil,
				"browser_find":         {"text": "second"},
				"browser_evaluate":     {"expression": "document.querySelector('#second')?.textContent"},
			} {
				if tool == "browser_evaluate" && place != "the page" { // it is about one document
					continue
				}
				for try := 1; ; try++ { // a busy machine may need longer than a page is given
					u.body(at.page, "")
					u.good("browser_click", arguments{"selector": "a"})
					r := u.good(tool, a)
					if strings.Contains(r.Text, "second") && !strings.Contains(r.Text, "nothing") {
						break
					}
					if try == 5 {
						t.Errorf("%s never had the whole of it: %s", tool, r.Text)
						break
					}
				}
			}
		})
	}
}

// What has not come within a moment is not waited for, but said to be missing.
func TestAPageThatIsStillLoadingIsSaidToBe(t *testing.T) {
	t.Parallel()
	u := newHanging(t)
	u.Handle("/never", func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() })
	u.Handle("/half", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		_, _ = w.Write([]byte("<!doctype html><p>first</p>"))
		w.(http.Flusher).Flush()
		<-r.Context().Done()
	})
	const still = "the page, or a frame of it, is still loading"
	for place, page := range map[string]string{"the page": "", "a frame": `<iframe src="/half"></iframe>`, "a frame in another process": `<iframe src="{{127.0.0.1}}/half"></iframe>`} {
		if page == "" {
			u.body(`<a href="/half">go</a>`, "")
			u.good("browser_click", arguments{"selector": "a"})
		} else {
			u.body(page, "")
		}
		for _, tool := range []string{"browser_snapshot", "browser_extract_text"} {
			if r := u.good(tool, nil); !strings.Contains(r.Text, "first") || !strings.Contains(r.Text, still) {
				t.Errorf("%s: %s", place, r.Text)
			}
		}
	}
	u.body(`<p>whole</p>`, "")
	usual := shared.Measure(func() {
		if r := u.good("browser_snapshot", nil); strings.Contains(r.Text, "loading") {
			t.Error(r.Text)
		}
	})
	for name, origin := range map[string]string{"a frame that is not answered": "", "one of another site": "{{127.0.0.1}}"} {
		u.body(`<p>whole</p><iframe src="`+origin+`/never" style="width: 100%; height: 3000px"></iframe>`, "")
		u.good("browser_snapshot", nil) // which waits a moment, as the page is new
		u.good("browser_evaluate", arguments{"expression": "document.body.append('more')"})
		for tool, a := range map[string]arguments{"browser_extract_text": nil, "browser_find": {"text": "nowhere"}} {
			if r := u.good(tool, a); !strings.Contains(r.Text, still) {
				t.Errorf("%s: %s", name, r.Text)
			}
		}
		took := shared.Measure(func() {
			if r := u.good("browser_snapshot", nil); !strings.Contains(r.Text, "iframe") || !strings.Contains(r.Text, "(loading)") {
				t.Errorf("%s: %s", name, r.Text)
			}
			u.good("browser_scroll", arguments{"direction": "down"}) // with the pointer over the frame
		})
		if time.Duration(took) > usual.Times(20, time.Second) {
			t.Errorf("%s made a reading take %v, and it takes %v without", name, time.Duration(took), time.Duration(usual))
		}
	}
}

// Chromium draws nothing of a page before what its head asks for has come.
func TestAPageThatCannotBeDrawnSaysWhatItWaitsFor(t *testing.T) {
	t.Parallel()
	for head, what := range map[string]string{
		`<link rel=stylesheet href="/never?token=secret">`: "the stylesheet {{localhost}}/never",
		`<style>@import "/never"</style>`:                  "a stylesheet that another one imports",
		`<script src="/never"></script>`:                   "the script {{localhost}}/never",
	} {
		t.Run(what, func(t *testing.T) {
			t.Parallel()
			u := newHanging(t)
			u.Handle("/never", func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() })
			u.Handle("/undrawn", func(w http.ResponseWriter, _ *http.Request) {
				_, _ = w.Write([]byte("<!doctype html>" + head + hangingPage))
			})
			u.good("browser_navigate", arguments{"url": "{{localhost}}/undrawn", "wait_until": "commit"})
			r := u.bad("browser_screenshot", nil, "timeout", "nothing of the page has been drawn", u.Expand(what))
			if strings.Contains(r.Text, "secret") {
				t.Error(r.Text)
			}
			if strings.Contains(what, "script") {
				u.bad("browser_click", arguments{"selector": "#mark", "timeout_ms": 2000}, "no_element", "still loading")
				return
			}
			if !strings.Contains(r.Text, "window.stop()") {
				t.Error(r.Text)
			}
			u.good("browser_evaluate", arguments{"expression": "stop()"})
			u.good("browser_screenshot", nil)
			u.works("/undrawn")
		})
	}
}

// A page that a dialog holds while it is parsed is not parsed before somebody answers.
func TestAPageThatADialogHoldsIsNotAwaited(t *testing.T) {
	t.Parallel()
	u := newHanging(t)
	u.Handle("/asking", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		_, _ = w.Write([]byte("<!doctype html><p>first</p><script>alert(1)</script><p>second</p>"))
	})
	usual := shared.Measure(func() { u.good("browser_snapshot", nil) })
	for range 4 { // the dialog may open before the click returns, or only after it
		u.body(`<a href="/asking">go</a>`, "")
		u.call("browser_click", arguments{"selector": "a"})
		took := shared.Measure(func() { u.good("browser_snapshot", nil) })
		if time.Duration(took) > usual.Times(20, time.Second) {
			t.Errorf("a reading took %v, and %v without a dialog", time.Duration(took), time.Duration(usual))
		}
		u.good("browser_dialog", arguments{"action": "accept"})
		if r := u.good("browser_snapshot", nil); !strings.Contains(r.Text, "second") {
			t.Error(r.Text)
		}
	}
}
