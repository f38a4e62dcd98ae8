// Package testsite serves the pages of a test on loopback, as many sites at once, and records what the pages report.
package testsite

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"path"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
)

// Server serves pages, which are HTML fragments by path, and can be used from any goroutine.
//
// In a fragment, {{host}} stands for the origin of that host on this server: {{localhost}}, {{127.0.0.1}},
// {{127.0.0.2}} and {{any.localhost}} are so many sites, so frames of one in another are in processes of their own.
// Every page has the function report(key, value), which works in frames of any origin; value arrives as JSON. The path
// /empty is always there; paths with an extension are no pages, but what the extension says: .js, .svg or .bin.
type Server struct {
	port    string
	pages   map[string]string
	mu      sync.Mutex
	reports map[string][]string
	visits  map[string]int
	held    map[string]chan struct{}
	answers map[string]http.HandlerFunc
	changed chan struct{} // closed and replaced with each report and visit
}

// New starts a server that ends with the test.
func New(t testing.TB, pages map[string]string) *Server {
	t.Helper()
	s := &Server{
		pages: pages, reports: map[string][]string{}, visits: map[string]int{}, held: map[string]chan struct{}{},
		answers: map[string]http.HandlerFunc{}, changed: make(chan struct{}),
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
	return s
}

// Port is the port of all hosts.
func (s *Server) Port() string { return s.port }

// URL gives the address of a page on one of the hosts.
func (s *Server) URL(host, path string) string { return "http://" + host + ":" + s.port + path }

// Expand puts origins in place of {{host}} in a text.
func (s *Server) Expand(text string) string {
	return hostPattern.ReplaceAllString(text, "http://$1:"+s.port)
}

var hostPattern = regexp.MustCompile(`\{\{([a-z0-9.-]+)\}\}`)

const reporter = `<script>
function report(key, value) {
  return fetch('{{127.0.0.1}}/report/' + key, {method: 'POST', mode: 'no-cors', body: JSON.stringify(value === undefined ? null : value)});
}
function reportLeaving(key, value) { navigator.sendBeacon('{{127.0.0.1}}/report/' + key, JSON.stringify(value)); }
</script>
`

// types are the kinds of files that are no pages, by extension.
var types = map[string]string{".js": "text/javascript", ".svg": "image/svg+xml", ".bin": "application/octet-stream"}

// ServeHTTP serves a page, or takes a report.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
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
	var answer http.HandlerFunc
	s.note(func() {
		s.visits[r.URL.Path]++
		held, answer = s.held[r.URL.Path], s.answers[r.URL.Path]
	})
	if held != nil {
		select {
		case <-held:
		case <-r.Context().Done():
			return
		}
	}
	if answer != nil {
		answer(w, r)
		return
	}
	body, ok := s.pages[r.URL.Path]
	if !ok && r.URL.Path != "/empty" {
		http.NotFound(w, r)
		return
	}
	kind, other := types[path.Ext(r.URL.Path)]
	if !other {
		kind, body = "text/html; charset=utf-8", "<!doctype html><title>"+r.URL.Path+"</title>"+reporter+body
	}
	w.Header().Set("Content-Type", kind)
	_, _ = io.WriteString(w, s.Expand(body)) // a client that is gone needs no page
}

func (s *Server) note(change func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	change()
	close(s.changed)
	s.changed = make(chan struct{})
}

// Handle lets a function answer a path.
func (s *Server) Handle(path string, answer http.HandlerFunc) {
	s.note(func() { s.answers[path] = answer })
}

// await waits until get returns ok. Its error says what there was instead.
func (s *Server) await(ctx context.Context, what string, get func() (string, bool)) (string, error) {
	for {
		s.mu.Lock()
		value, ok := get()
		changed := s.changed
		seen := fmt.Sprintf("reports %v, visits %v", s.reports, s.visits)
		s.mu.Unlock()
		if ok {
			return value, nil
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return "", fmt.Errorf("no %s: %w; %s", what, context.Cause(ctx), seen[:min(len(seen), 2000)])
		}
	}
}

// Reported waits for the first report of a key and gives its JSON.
func (s *Server) Reported(ctx context.Context, key string) (string, error) {
	return s.await(ctx, "report of "+key, func() (string, bool) {
		if len(s.reports[key]) == 0 {
			return "", false
		}
		return s.reports[key][0], true
	})
}

// Reports gives the JSON of all reports of a key so far.
func (s *Server) Reports(key string) []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.reports[key])
}

// Visited waits until a path has been asked for n times.
func (s *Server) Visited(ctx context.Context, path string, n int) error {
	_, err := s.await(ctx, fmt.Sprintf("visit %d of %s", n, path), func() (string, bool) { return "", s.visits[path] >= n })
	return err
}

// Visits tells how often a path has been asked for.
func (s *Server) Visits(path string) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.visits[path]
}

// Hold makes requests for a path wait until release is called.
func (s *Server) Hold(path string) (release func()) {
	held := make(chan struct{})
	s.mu.Lock()
	s.held[path] = held
	s.mu.Unlock()
	return func() { s.release(path, held) }
}

func (s *Server) release(path string, held chan struct{}) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.held[path] == held {
		delete(s.held, path)
		close(held)
	}
}

func (s *Server) releaseAll() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for path, held := range s.held {
		delete(s.held, path)
		close(held)
	}
}

// Forget drops the reports and visits so far.
func (s *Server) Forget() {
	s.note(func() {
		clear(s.reports)
		clear(s.visits)
	})
}
