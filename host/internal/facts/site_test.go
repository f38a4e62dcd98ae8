package facts

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
)

// site serves pages under several names: a.localhost, b.localhost and so on are different sites to the browser, so
// frames of different ones run in different processes.
type site struct {
	port  string
	mu    sync.Mutex
	pages map[string]http.HandlerFunc
}

// newSite serves the pages that most facts use.
func newSite(t *testing.T) *site {
	s := &site{pages: map[string]http.HandlerFunc{}}
	server := httptest.NewServer(s)
	t.Cleanup(server.Close)
	s.port = server.URL[strings.LastIndex(server.URL, ":")+1:]
	s.page("/leaf", `leaf`)
	s.page("/two", `<title>two</title>`)
	s.page("/tree", `<iframe id=same name=same src="/leaf"></iframe><iframe id=x1 name=x1 src="//b.localhost:PORT/x1"></iframe>`)
	s.page("/x1", `<iframe id=x2 src="//c.localhost:PORT/x2"></iframe>`)
	s.page("/x2", `<iframe id=x3 src="//d.localhost:PORT/leaf"></iframe>`)
	return s
}

// page adds a page; PORT in it becomes the port.
func (s *site) page(path, html string) {
	html = "<!doctype html>" + strings.ReplaceAll(html, "PORT", s.port)
	s.handle(path, func(w http.ResponseWriter, _ *http.Request) {
		contentType := "text/html"
		if strings.HasSuffix(path, ".js") {
			contentType, html = "text/javascript", strings.TrimPrefix(html, "<!doctype html>")
		}
		w.Header().Set("Content-Type", contentType)
		_, _ = fmt.Fprint(w, html)
	})
}

// handle adds a page that is served by code.
func (s *site) handle(path string, handler http.HandlerFunc) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.pages[path] = handler
}

// ServeHTTP serves a page.
func (s *site) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	handler := s.pages[r.URL.Path]
	s.mu.Unlock()
	if handler == nil {
		http.NotFound(w, r)
		return
	}
	handler(w, r)
}

// url gives the address of a page on the site of that letter.
func (s *site) url(letter, path string) string {
	return "http://" + letter + ".localhost:" + s.port + path
}
