package e2e

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"sync"
	"testing"
)

// site serves the pages of one test on loopback and records what the pages report.
//
// Pages are HTML fragments by path. In a fragment, {{host}} stands for the origin of that host on this server:
// {{localhost}}, {{127.0.0.1}}, {{127.0.0.2}} and {{any.localhost}} are so many sites, so frames of one in another are in
// processes of their own. Every page has the function report(key, value), which works in frames of any origin; value
// arrives as JSON. The path /empty is always there; paths that end in .js are scripts.
type site struct {
	*server
	t   *testing.T
	ctx context.Context
}

// server is what the requests of all browsers and tests share of a site.
type server struct {
	port    string
	pages   map[string]string
	mu      sync.Mutex
	reports map[string][]string
	visits  map[string]int
	held    map[string]chan struct{}
	changed chan struct{} // closed and replaced with each report and visit
}

// serve starts a site that ends with the test. Waiting on it ends with ctx.
func serve(ctx context.Context, t *testing.T, pages map[string]string) *site {
	t.Helper()
	s := &server{
		pages: pages, reports: map[string][]string{}, visits: map[string]int{}, held: map[string]chan struct{}{},
		changed: make(chan struct{}),
	}
	first := httptest.NewServer(s)
	t.Cleanup(first.Close)
	_, port, err := net.SplitHostPort(first.Listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	s.port = port
	listener, err := net.Listen("tcp4", "127.0.0.2:"+port)
	if err != nil {
		t.Fatal(err)
	}
	second := httptest.NewUnstartedServer(s)
	if err := second.Listener.Close(); err != nil {
		t.Fatal(err)
	}
	second.Listener = listener
	second.Start()
	t.Cleanup(second.Close)
	t.Cleanup(s.releaseAll) // before the servers close: they wait for their requests
	return &site{server: s, t: t, ctx: ctx}
}

// url gives the address of a page on one of the site's hosts.
func (s *server) url(host, path string) string { return "http://" + host + ":" + s.port + path }

var hostPattern = regexp.MustCompile(`\{\{([a-z0-9.-]+)\}\}`)

const reporter = `<script>
function report(key, value) {
  return fetch('{{127.0.0.1}}/report/' + key, {method: 'POST', mode: 'no-cors', body: JSON.stringify(value === undefined ? null : value)});
}
function reportLeaving(key, value) { navigator.sendBeacon('{{127.0.0.1}}/report/' + key, JSON.stringify(value)); }
</script>
`

// ServeHTTP serves a page, or takes a report.
func (s *server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if key, ok := strings.CutPrefix(r.URL.Path, "/report/"); ok {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			return // the page went away while it reported
		}
		s.note(func() { s.reports[key] = append(s.reports[key], string(body)) })
		w.WriteHeader(http.StatusNoContent)
		return
	}
	var held chan struct{}
	s.note(func() {
		s.visits[r.URL.Path]++
		held = s.held[r.URL.Path]
	})
	if held != nil {
		select {
		case <-held:
		case <-r.Context().Done():
			return
		}
	}
	body, ok := s.pages[r.URL.Path]
	if !ok && r.URL.Path != "/empty" {
		http.NotFound(w, r)
		return
	}
	if strings.HasSuffix(r.URL.Path, ".js") {
		w.Header().Set("Content-Type", "text/javascript")
		_, _ = io.WriteString(w, hostPattern.ReplaceAllString(body, "http://$1:"+s.port))
		return
	}
	page := hostPattern.ReplaceAllString("<!doctype html><title>"+r.URL.Path+"</title>"+reporter+body, "http://$1:"+s.port)
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	_, _ = io.WriteString(w, page) // a client that is gone needs no page
}

func (s *server) note(change func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	change()
	close(s.changed)
	s.changed = make(chan struct{})
}

// await waits until get returns ok.
func (s *site) await(what string, get func() (string, bool)) string {
	s.t.Helper()
	for {
		s.mu.Lock()
		value, ok := get()
		changed := s.changed
		seen := fmt.Sprintf("reports %v, visits %v", s.reports, s.visits)
		s.mu.Unlock()
		if ok {
			return value
		}
		select {
		case <-changed:
		case <-s.ctx.Done():
			s.t.Fatalf("no %s: %v; %s", what, context.Cause(s.ctx), seen[:min(len(seen), 2000)])
		}
	}
}

// reported waits for the first report of a key and gives its JSON.
func (s *site) reported(key string) string {
	s.t.Helper()
	return s.await("report of "+key, func() (string, bool) {
		if len(s.reports[key]) == 0 {
			return "", false
		}
		return s.reports[key][0], true
	})
}

// hasReported tells whether a key has been reported yet.
func (s *server) hasReported(key string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.reports[key]) > 0
}

// visited waits until a path has been asked for n times.
func (s *site) visited(path string, n int) {
	s.t.Helper()
	s.await(fmt.Sprintf("visit %d of %s", n, path), func() (string, bool) { return "", s.visits[path] >= n })
}

// hold makes requests for a path wait until release is called.
func (s *server) hold(path string) (release func()) {
	held := make(chan struct{})
	s.mu.Lock()
	s.held[path] = held
	s.mu.Unlock()
	return func() { s.release(path, held) }
}

func (s *server) release(path string, held chan struct{}) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.held[path] == held {
		delete(s.held, path)
		close(held)
	}
}

func (s *server) releaseAll() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for path, held := range s.held {
		delete(s.held, path)
		close(held)
	}
}

// forget drops the reports and visits so far.
func (s *server) forget() {
	s.note(func() {
		clear(s.reports)
		clear(s.visits)
	})
}
