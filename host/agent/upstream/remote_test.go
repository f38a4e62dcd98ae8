package upstream

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/hermes-cdp/hermes-cdp/host/fault"
)

// site is an HTTP server that requires a token and can forget its sessions.
type site struct {
	*httptest.Server

	handler  atomic.Pointer[mcp.StreamableHTTPHandler]
	token    atomic.Pointer[string]
	requests atomic.Int64
	old      atomic.Bool   // it knows only sessions, as before 2026
	all      []*mcp.Server // of the test's goroutine
}

func newSite(t *testing.T, token string) *site {
	t.Helper()
	s := &site{}
	s.token.Store(&token)
	s.restart()
	s.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.requests.Add(1)
		if r.Header.Get("Authorization") != "Bearer "+*s.token.Load() {
			http.Error(w, "wrong token "+r.Header.Get("Authorization"), http.StatusUnauthorized)
			return
		}
		body, _ := io.ReadAll(r.Body) // the server will find what is wrong with it
		if s.old.Load() && strings.Contains(string(body), methodDiscover) {
			http.Error(w, "unknown", http.StatusBadRequest)
			return
		}
		r.Body = io.NopCloser(bytes.NewReader(body))
		s.handler.Load().ServeHTTP(w, r)
	}))
	t.Cleanup(func() {
		s.CloseClientConnections()
		s.Close()
		for _, server := range s.all {
			for session := range server.Sessions() { // some were forgotten
				_ = session.Close()
			}
		}
	})
	return s
}

// restart forgets all sessions.
func (s *site) restart() {
	server := testServer()
	s.all = append(s.all, server)
	s.handler.Store(mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return server }, nil))
}

func (s *site) spec() Server {
	return Server{URL: s.URL + "/?key=the-query-secret", Headers: map[string]string{"Authorization": "Bearer ${SITE_TOKEN}"}}
}

func TestTheToolsOfAServerOverHTTP(t *testing.T) {
	t.Setenv("SITE_TOKEN", "the-bearer-token")
	s := newSite(t, "the-bearer-token")
	w := newWorld(t, only(map[string]Server{"site": s.spec()}))
	w.settled()
	if got := w.call("echo", `{"say": "hello"}`); got.IsError || !strings.Contains(got.Text, "hello") {
		t.Errorf("got %+v", got)
	}
	if got := w.call("fail", ``); got.Structured["kind"] != string(fault.ErrServerTool) {
		t.Errorf("got %+v", got)
	}
	w.call("grow", `{"say": "brand_new"}`)
	w.until("site", func(names []string) bool { return slices.Contains(names, "brand_new") })
}

func TestACallSurvivesThatTheServerForgotItsSession(t *testing.T) {
	t.Setenv("SITE_TOKEN", "the-bearer-token")
	s := newSite(t, "the-bearer-token")
	s.old.Store(true)
	w := newWorld(t, only(map[string]Server{"site": s.spec()}))
	w.settled()
	s.restart()
	if got := w.call("say", `{"say": "still here"}`); got.Structured["text"] != "still here" {
		t.Errorf("got %+v", got)
	}
	if s := w.state("site", func(s Status) bool { return s.State == StateReady }); s.Restarts != 1 {
		t.Errorf("got %+v", s)
	}
}

func TestAServerThatRefusesTheTokenSaysSoWithoutIt(t *testing.T) {
	t.Setenv("SITE_TOKEN", "another-bearer-token")
	s := newSite(t, "the-bearer-token")
	w := newWorld(t, only(map[string]Server{"site": s.spec()}))
	w.settled()
	got := w.state("site", func(s Status) bool { return s.State == StateFailed })
	text := fmt.Sprintf("%+v", got)
	if !strings.Contains(got.Error, "Unauthorized") || strings.Contains(text, "bearer-token") || strings.Contains(text, "query-secret") {
		t.Errorf("got %s", text)
	}
	token := "another-bearer-token"
	s.token.Store(&token)
	w.state("site", func(s Status) bool { return s.State == StateReady })
}

func TestHeadersGoToNoOtherHost(t *testing.T) {
	t.Setenv("SITE_TOKEN", "the-bearer-token")
	s := newSite(t, "the-bearer-token")
	moved := httptest.NewServer(http.RedirectHandler(s.URL+"/?moved=there-is-a-secret", http.StatusTemporaryRedirect))
	t.Cleanup(moved.Close)
	spec := s.spec()
	spec.URL = moved.URL
	w := newWorld(t, only(map[string]Server{"site": spec}))
	w.settled()
	got := w.state("site", func(s Status) bool { return s.State == StateFailed })
	if !strings.Contains(got.Error, "redirects to another origin") || strings.Contains(got.Error, "there-is-a-secret") {
		t.Errorf("got %+v", got)
	}
	if n := s.requests.Load(); n != 0 {
		t.Errorf("the other host got %d requests", n)
	}
}

func TestNobodyAtTheAddress(t *testing.T) {
	t.Setenv("SITE_TOKEN", "the-bearer-token")
	s := newSite(t, "the-bearer-token")
	o := only(map[string]Server{"site": s.spec()})
	o.limits = quick
	o.limits.outage, o.limits.reconnect = time.Hour, time.Millisecond
	w := newWorld(t, o)
	w.settled()
	s.CloseClientConnections()
	s.Close()
	got := w.call("say", `{"say": "x"}`)
	if got.Structured["kind"] != string(fault.ErrServer) || strings.Contains(got.Text, "query-secret") {
		t.Errorf("got %+v", got)
	}
	if got := w.state("site", func(s Status) bool { return s.State == StateFailed }); !strings.Contains(got.Error, "connection refused") {
		t.Errorf("got %+v", got)
	}
}
