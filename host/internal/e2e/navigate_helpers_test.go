package e2e

import (
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/hermes-cdp/hermes-cdp/abi"
	"github.com/hermes-cdp/hermes-cdp/host"
	"github.com/hermes-cdp/hermes-cdp/host/module"
)

// guardOptions put the module of testdata/navigate.wat into service: it decides by what follows the first ! in an
// address.
func guardOptions() host.Options {
	return host.Options{Plugins: map[string]host.PluginOptions{"guard": {
		PluginSource: host.PluginSource{Path: filepath.Join("testdata", "navigate.wasm")},
		Hooks:        []abi.Hook{abi.HookNavigate},
		// On the busiest machine it is still the module that decides.
		Limits: module.Limits{HookTimeout: 20 * time.Second},
	}}}
}

// guardedWorld is a world with that module, and a server that does what a page cannot.
type guardedWorld struct {
	*world
	desk *httptest.Server
}

func newGuarded(t *testing.T, pages map[string]string) *guardedWorld {
	t.Helper()
	t.Parallel()
	return newGuardedOn(t, common.Address(t), guardOptions(), pages, host.TaskOptions{})
}

func newGuardedOn(t *testing.T, address string, ho host.Options, pages map[string]string, o host.TaskOptions) *guardedWorld {
	t.Helper()
	desk := httptest.NewServer(http.HandlerFunc(serveDesk))
	t.Cleanup(desk.Close)
	return &guardedWorld{newWorldOn(t, address, ho, pages, o), desk}
}

// at is an address of the desk, as another site than localhost.
func (g *guardedWorld) at(path string) string {
	_, port, _ := net.SplitHostPort(g.desk.Listener.Addr().String())
	return "http://desk.localhost:" + port + path
}

// trusted is an address of the desk at a host where service workers may be without https.
func (g *guardedWorld) trusted(path string) string {
	return strings.Replace(g.at(path), "desk.localhost", "localhost", 1)
}

// redirect is an address that redirects to another one.
func (g *guardedWorld) redirect(code, to string) string {
	return g.at("/" + code + "?to=" + url.QueryEscape(to))
}

// serveDesk redirects, says what was posted, asks for a password, or gives a file to save.
func serveDesk(w http.ResponseWriter, r *http.Request) {
	switch r.URL.Path {
	case "/301", "/302", "/303", "/307", "/308":
		var code int
		_, _ = fmt.Sscan(r.URL.Path[1:], &code)
		http.Redirect(w, r, r.URL.Query().Get("to"), code)
	case "/echo":
		body, _ := io.ReadAll(r.Body) // a client that went away gets no page
		w.Header().Set("Content-Type", "text/html")
		_, _ = fmt.Fprintf(w, "<!doctype html><title>%s %s</title>", r.Method, body)
	case "/auth":
		if user, _, ok := r.BasicAuth(); ok {
			_, _ = fmt.Fprint(w, user)
			return
		}
		w.Header().Set("WWW-Authenticate", `Basic realm="desk"`)
		w.WriteHeader(http.StatusUnauthorized)
	case "/file":
		w.Header().Set("Content-Disposition", "attachment; filename=x.txt")
		_, _ = fmt.Fprint(w, "x")
	case "/worker":
		w.Header().Set("Content-Type", "text/html")
		_, _ = fmt.Fprint(w, `<!doctype html><title>worker</title><script>ready = navigator.serviceWorker.register("/worker.js").then(() => navigator.serviceWorker.ready);
			ready.then(() => { if (location.search) location = decodeURIComponent(location.search.slice(1)) })</script>`)
	case "/ahead":
		w.Header().Set("Content-Type", "text/html")
		_, _ = fmt.Fprintf(w, `<!doctype html><title>ahead</title><script type=speculationrules>{"prefetch": [{"urls": [%q], "eagerness": "immediate"}]}</script>`, r.URL.Query().Get("to"))
	case "/worker.js":
		w.Header().Set("Content-Type", "text/javascript")
		_, _ = fmt.Fprint(w, `addEventListener("install", () => skipWaiting());
			addEventListener("activate", e => e.waitUntil(clients.claim()));
			addEventListener("fetch", e => { if (e.request.url.includes("from-worker"))
				e.respondWith(new Response("<!doctype html><title>of the worker</title>", {headers: {"Content-Type": "text/html"}})) })`)
	default:
		http.NotFound(w, r)
	}
}

// denied waits for a denial of an address.
func (g *guardedWorld) denied(url string) host.DeniedNavigation {
	g.t.Helper()
	var found host.DeniedNavigation
	g.await("the denial of "+url, func(s *host.Snapshot) bool {
		for _, d := range s.RecentNavigations {
			if d.URL == url {
				found = d
				return true
			}
		}
		return false
	})
	return found
}

// eventOf is what the module was told before it denied an address with !e.
func eventOf(t *testing.T, d host.DeniedNavigation) abi.NavigateEvent {
	t.Helper()
	raw, err := hex.DecodeString(d.Reason)
	if err != nil {
		t.Fatalf("the reason %q: %v", d.Reason, err)
	}
	var e abi.NavigateEvent
	if err := e.Unmarshal(raw); err != nil {
		t.Fatal(err)
	}
	return e
}

// never fails the test if a path was asked for.
func (s *site) never(path string) {
	s.t.Helper()
	if n := s.Visits(path); n != 0 {
		s.t.Errorf("%s was visited %d times", path, n)
	}
}

// wantDenied fails the test unless an error says that a navigation was denied, and gives its details.
func wantDenied(t *testing.T, err error) host.DeniedNavigation {
	t.Helper()
	var denied *host.NavigationDeniedError
	if !errors.As(err, &denied) || !errors.Is(err, host.ErrNavigationDenied) || !errors.Is(err, host.ErrNavigate) {
		t.Fatalf("got the error %v, want a denial", err)
	}
	return denied.Navigation
}

// goes navigates the first tab to an address, which may redirect, and checks the title of what it finds.
func (g *guardedWorld) goes(url, title string) {
	g.t.Helper()
	if err := commit(g.ctx, g.Tab(""), url); err != nil {
		g.t.Fatalf("navigate to %s: %v", url, err)
	}
	g.titled(title)
}

// lands waits until the first tab is at an address by itself, and checks its title.
func (g *guardedWorld) lands(url, title string) {
	g.t.Helper()
	g.await(url, func(s *host.Snapshot) bool { return s.Page() != nil && s.Page().URL == url })
	g.titled(title)
}

func (g *guardedWorld) titled(title string) {
	g.t.Helper()
	g.loaded()
	want(g.t, "title", g.evaluate("document.title"), strconv.Quote(title))
}

// loaded waits until the document of the first tab is loaded, with all its frames.
func (g *guardedWorld) loaded() {
	g.t.Helper()
	g.evaluate("new Promise(r => document.readyState === 'complete' ? r() : addEventListener('load', () => r()))")
}
