package web

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	hermescdp "github.com/hermes-cdp/hermes-cdp"
	"github.com/hermes-cdp/hermes-cdp/host"
)

func TestTheBookIsServed(t *testing.T) {
	s := bare(t)
	if got := ask(s, "GET", "/docs/", ""); got.StatusCode == http.StatusOK {
		t.Error("there is a book without documents")
	}
	s = New(Options{API: s.o.API, Log: s.o.Log, Documents: hermescdp.Documents})
	t.Cleanup(s.Close)
	for path, want := range map[string]struct {
		status     int
		kind, text string
	}{
		"/docs/":                        {200, "text/html; charset=utf-8", "The book of hermes-cdp"},
		"/docs/index.html":              {200, "text/html; charset=utf-8", "The book of hermes-cdp"},
		"/docs/guides/policies.html":    {200, "text/html; charset=utf-8", "Policies by example"},
		"/docs/project/security.html":   {200, "text/html; charset=utf-8", "vulnerability"},
		"/docs/book.js":                 {200, "text/javascript; charset=utf-8", "MiniSearch"},
		"/docs/book.css":                {200, "text/css; charset=utf-8", "color-scheme"},
		"/docs/live-home.png":           {200, "image/png", "PNG"},
		"/docs/guides/stuck-1-find.png": {200, "image/png", "PNG"},
		"/docs/no.html":                 {404, "text/plain; charset=utf-8", "/docs/ has the index"},
		"/docs/../go.mod":               {307, "text/html; charset=utf-8", ""},
	} {
		got := ask(s, "GET", path, "")
		text, err := io.ReadAll(got.Body)
		if err != nil || got.StatusCode != want.status || got.Header.Get("Content-Type") != want.kind || !bytes.Contains(text, []byte(want.text)) {
			t.Errorf("%s: %s, %s, %v", path, got.Status, got.Header.Get("Content-Type"), err)
		}
		if got.Header.Get("Content-Security-Policy") != policy {
			t.Errorf("%s has the policy %q", path, got.Header.Get("Content-Security-Policy"))
		}
	}
	if got := ask(s, "GET", "/docs/", "", "Host", "rebound.example"); got.StatusCode != http.StatusForbidden {
		t.Errorf("another host's page gets %s", got.Status)
	}
}

// A person reads and searches the book under the policy of the live page, on a wide screen and on a phone, in light and
// in dark.
func TestAPersonReadsTheBook(t *testing.T) {
	ctx, cancel := context.WithTimeoutCause(t.Context(), limit, errors.New("the test took too long"))
	t.Cleanup(cancel)
	base := bare(t)
	h, err := host.New(ctx, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = h.Close(context.Background()) })
	s := &stage{t: t, ctx: ctx, host: h, server: New(Options{API: base.o.API, Log: base.o.Log, Documents: hermescdp.Documents})}
	server := httptest.NewServer(s.server)
	t.Cleanup(server.Close)
	s.person = s.launch("person")
	open := func(path string) {
		_, err := s.page().Navigate(ctx, server.URL+"/docs/"+path, nil)
		s.must("opening "+path, err)
	}
	for name, width := range map[string]int{"wide": 0, "phone": 360} {
		s.screen = host.Emulation{Width: width}
		if width > 0 {
			s.screen.Height = 740
		}
		s.must("emulating", s.person.Emulate(ctx, s.screen))
		for _, path := range []string{"", "start/operator.html", "configuration.html", "search.html?q=dialog"} {
			open(path)
			s.shows("hermes-cdp")
			what := strings.NewReplacer("/", "-", ".html", "", "?q=", "-").Replace("book-" + name + "-" + path)
			s.accessible(what)
			s.picture(what)
			if wide := s.evaluate(s.person, "document.documentElement.scrollWidth > innerWidth", ""); wide != "false" {
				t.Errorf("%s is wider than the screen", what)
			}
		}
	}
	s.must("emulating", s.person.Emulate(ctx, host.Emulation{ColorScheme: "dark"}))
	open("guides/stuck-page.html")
	s.picture("book-dark")
	s.write("searchbox", "Search", "dismissed watchdog")
	_, err = s.page().Press(ctx, "Enter", nil)
	s.must("searching", err)
	s.shows("sections, the best first")
	s.picture("book-search")
	s.write("searchbox", "Search", "zzzz")
	s.shows("Nothing is found for “zzzz”.")
	s.write("searchbox", "Search", "policies by example")
	s.shows("Policies by example: ")
	_, err = s.page().Click(ctx, host.BySelector("#results a"), nil)
	s.must("opening what was found", err)
	s.shows("A policy decides what happens without asking anybody")
	for _, m := range s.person.Snapshot().Console {
		t.Errorf("the console has %s", m.Text)
	}
}
