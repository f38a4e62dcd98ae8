package agents

import (
	"context"
	"encoding/json"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"github.com/hermes-cdp/hermes-cdp/host"
	"github.com/hermes-cdp/hermes-cdp/host/agent"
	"github.com/hermes-cdp/hermes-cdp/host/internal/e2e/shared"
)

func callOf(u *user, tool, arguments string) agent.Call {
	return agent.Call{Task: u.ID(), Name: tool, Arguments: json.RawMessage(arguments)}
}

// strange is a server that does what no page should.
func strange(t *testing.T) *httptest.Server {
	t.Helper()
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/nothing":
			w.WriteHeader(http.StatusNoContent)
		case "/file":
			w.Header().Set("Content-Disposition", `attachment; filename="report.bin"`)
			_, _ = w.Write([]byte("report")) // a client that is gone needs none
		case "/broken":
			w.Header().Set("Content-Disposition", `attachment; filename="broken.bin"`)
			w.Header().Set("Content-Length", "1000000")
			_, _ = w.Write(make([]byte, 1000))
			w.(http.Flusher).Flush()
			panic(http.ErrAbortHandler) // which ends the connection in the middle
		default:
			_, _ = w.Write([]byte(`<!doctype html><a id=broken href="/broken">broken</a> <a id=none href="#">none</a> <a id=file href="/file">file</a>`))
		}
	}))
	t.Cleanup(s.Close)
	return s
}

// A navigation that fails says why, in every kind of tab, and the tab works afterwards.
func TestNavigationsThatFail(t *testing.T) {
	t.Parallel()
	b := newBench(t, common.Address(t), host.Options{})
	server := strange(t)
	untrusted := httptest.NewUnstartedServer(http.NotFoundHandler())
	untrusted.Config.ErrorLog = log.New(io.Discard, "", 0) // the browser's refusals are what is wanted
	untrusted.StartTLS()
	t.Cleanup(untrusted.Close)
	for _, p := range places {
		if !slices.Contains([]string{"main frame", "popup"}, p.name) {
			continue
		}
		t.Run(p.name, func(t *testing.T) {
			t.Parallel()
			s := b.at(t, p, "play")
			for url, word := range map[string]string{
				nowhere:                   "net::ERR_",
				"http://nowhere.invalid/": "net::ERR_NAME_NOT_RESOLVED",
				server.URL + "/nothing":   "net::ERR_ABORTED",
				server.URL + "/file":      `"report.bin"`,
				"http://":                 "invalid URL",
				"there is no such thing":  "invalid URL",
				untrusted.URL:             "net::ERR_CERT_AUTHORITY_INVALID",
			} {
				s.bad("browser_navigate", s.inTab(arguments{"url": url}), "navigation_failed", word)
				r := s.call("browser_interact", s.inTab(arguments{"url": url, "actions": []arguments{{"action": "extract_text"}}}))
				want(t, r, "abort_reason", `"initial_goto_failed"`)
				want(t, r, "results.0.kind", `"navigation_failed"`)
			}
			s.good("browser_navigate", s.inTab(arguments{"url": "{{localhost}}/two"}))
			s.bad("browser_forward", s.inTab(nil), "navigation_failed", "forward")
			fresh := text(t, s.good("browser_tabs", arguments{"action": "open"}), "tab.handle")
			s.bad("browser_back", arguments{"tab": fresh}, "navigation_failed", "back")
		})
	}
}

func TestDownloadsThatFail(t *testing.T) {
	t.Parallel()
	b := newBench(t, common.Address(t), host.Options{})
	server := strange(t)
	for name, c := range map[string]struct {
		selector string
		words    []string
	}{
		"a link that gives none":        {"#none", []string{`link "none"`, "no file"}},
		"a file that is never complete": {"#broken", []string{`"broken.bin"`, "canceled"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			u := b.newUser(t, host.TaskOptions{})
			u.good("browser_navigate", arguments{"url": server.URL})
			u.bad("browser_download", arguments{"selector": c.selector}, "download_failed", c.words...)
			want(t, u.good("browser_download", arguments{"selector": "#file"}), "bytes", "6")
		})
	}
}

// What a call waits for ends with its budget, or with its caller.
func TestWaitsEnd(t *testing.T) {
	t.Parallel()
	b := newBench(t, common.Address(t), host.Options{})
	u := b.newUser(t, host.TaskOptions{})
	u.good("browser_navigate", arguments{"url": "{{localhost}}/two"})
	for _, a := range []arguments{
		{"selector": "#never"}, {"selector": "p", "state": "detached"}, {"text": "two", "state": "hidden"},
	} {
		u.failed(u.answered("browser_wait_for", a.with(arguments{"timeout_ms": 1500})), shared.Dump(a), "timeout", "in time")
	}
	release := u.Hold("/after")
	u.bad("browser_navigate", arguments{"url": "{{localhost}}/after", "timeout_ms": 2000}, "timeout")
	release()
	u.good("browser_navigate", arguments{"url": "{{localhost}}/two"})
	ctx, cancel := context.WithCancel(u.ctx)
	u.Server.Forget()
	release = u.Hold("/after")
	go func() {
		defer cancel()
		_ = u.Visited(u.ctx, "/after", 1) // else the test fails by its time
	}()
	u.failed(u.callWithin(ctx, "browser_navigate", arguments{"url": "{{localhost}}/after"}), "a caller who leaves", "aborted")
	release()
	u.good("browser_navigate", arguments{"url": "{{localhost}}/two"})
}

// What a page shows only after it has loaded, as those do that scripts make, is in the result of the navigation.
func TestANavigationShowsWhatAScriptMakesOfThePage(t *testing.T) {
	t.Parallel()
	u := newBench(t, common.Address(t), host.Options{}).newUser(t, host.TaskOptions{})
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		page := `<!doctype html><div id=root></div><script>0</script>`
		if r.URL.Path == "/made" {
			page += `<script>addEventListener("load", () => setTimeout(() => { root.innerHTML = "<button>Made</button>" }, 300))</script>`
		}
		_, _ = w.Write([]byte(page))
	}))
	t.Cleanup(s.Close)
	made := text(t, u.good("browser_navigate", arguments{"url": s.URL + "/made", "timeout_ms": 30_000}), "snapshot")
	if !strings.Contains(made, `button "Made"`) {
		t.Errorf("the page was shown as %q", made)
	}
	is(t, "a page that stays blank", text(t, u.good("browser_navigate", arguments{"url": s.URL + "/blank"}), "snapshot"), "")
}
