package e2e

import (
	"context"
	"testing"

	"github.com/hermes-cdp/hermes-cdp/host/internal/e2e/testsite"
)

// site is a [testsite.Server] of one test, which fails when it waits in vain.
type site struct {
	*server
	t   *testing.T
	ctx context.Context
}

// server is what the requests of all browsers and tests share of a site.
type server struct {
	*testsite.Server
	port string
}

// serve starts a site that ends with the test. Waiting on it ends with ctx.
func serve(ctx context.Context, t *testing.T, pages map[string]string) *site {
	t.Helper()
	s := testsite.New(t, pages)
	return &site{server: &server{Server: s, port: s.Port()}, t: t, ctx: ctx}
}

// url gives the address of a page on one of the site's hosts.
func (s *server) url(host, path string) string { return s.URL(host, path) }

// hold makes requests for a path wait until release is called.
func (s *server) hold(path string) (release func()) { return s.Hold(path) }

// forget drops the reports and visits so far.
func (s *server) forget() { s.Forget() }

// hasReported tells whether a key has been reported yet.
func (s *server) hasReported(key string) bool { return len(s.Reports(key)) > 0 }

// reported waits for the first report of a key and gives its JSON.
func (s *site) reported(key string) string {
	s.t.Helper()
	value, err := s.Reported(s.ctx, key)
	if err != nil {
		s.t.Fatal(err)
	}
	return value
}

// visited waits until a path has been asked for n times.
func (s *site) visited(path string, n int) {
	s.t.Helper()
	if err := s.Visited(s.ctx, path, n); err != nil {
		s.t.Fatal(err)
	}
}
