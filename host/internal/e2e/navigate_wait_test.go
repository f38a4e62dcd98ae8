package e2e

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/hermes-cdp/hermes-cdp/host"
	"github.com/hermes-cdp/hermes-cdp/host/internal/e2e/shared"
)

// loadPages have a page whose stages the server can hold back one by one.
var loadPages = map[string]string{
	"/before": `<p>before`, "/page": `<p>page<img src=/picture><script>onload = () => fetch("/late").then(() => { document.title = "complete" })</script>`,
	"/picture": "", "/late": "0",
}

// A wait for a load does not take the page that is being left for the one to come.
func TestAWaitForALoadIsAboutTheNextPage(t *testing.T) {
	for until, waits := range map[host.WaitUntil][]string{
		host.WaitDOMContentLoaded: {"/page"}, host.WaitLoad: {"/page", "/picture"}, host.WaitNetworkIdle: {"/page", "/picture", "/late"},
	} {
		t.Run(string(until), func(t *testing.T) {
			w := newWorld(t, loadPages, host.TaskOptions{})
			beside, err := w.OpenTab(w.ctx, "")
			if err != nil {
				t.Fatal(err)
			}
			tab := w.Tab("t1")
			for _, from := range []string{"localhost", "127.0.0.1"} {
				if _, err := tab.Navigate(w.ctx, w.url(from, "/before"), &host.NavigateOptions{WaitUntil: host.WaitNetworkIdle}); err != nil {
					t.Fatal(err)
				}
				w.forget()
				release := map[string]func(){}
				for _, path := range []string{"/page", "/picture", "/late"} {
					release[path] = w.hold(path)
					defer release[path]()
				}
				if _, err := tab.Evaluate(w.ctx, "location.href = '"+w.url("localhost", "/page")+"'", nil); err != nil {
					t.Fatal(err)
				}
				reached := make(chan error, 1)
				go func() { reached <- tab.WaitLoad(w.ctx, until) }()
				for _, path := range waits {
					w.visited(path, 1)
					w.evaluateIn(beside.ID(), "new Promise(done => setTimeout(done, 700))") // longer than the network must be idle
					if len(reached) > 0 {
						t.Errorf("from %s it was reached before the server answered %s: %v", from, path, <-reached)
						return
					}
					release[path]()
				}
				if err := <-reached; err != nil {
					t.Error(err)
				}
				want(t, "the page", w.evaluateIn("t1", "location.pathname"), `"/page"`)
				for _, let := range release { // so that nothing keeps the page from being left
					let()
				}
			}
		})
	}
}

// What the page has reached already is not waited for, and what it does not reach is named.
func TestAWaitForALoadSaysHowFarThePageIs(t *testing.T) {
	w := newWorld(t, loadPages, host.TaskOptions{})
	w.open("/page")
	tab := w.Tab("")
	for range 2 {
		for _, until := range []host.WaitUntil{host.WaitDOMContentLoaded, host.WaitLoad, host.WaitNetworkIdle} {
			if err := tab.WaitLoad(w.ctx, until); err != nil {
				t.Error(until, err)
			}
		}
	}
	want(t, "the title", w.evaluateIn("", "document.title"), `"complete"`)
	w.open("/before")
	if _, err := tab.Back(w.ctx); err != nil { // which the browser may answer from its cache
		t.Fatal(err)
	}
	if err := tab.WaitLoad(w.ctx, host.WaitNetworkIdle); err != nil {
		t.Error(err)
	}
	if err := tab.WaitLoad(w.ctx, host.WaitCommit); !errors.Is(err, host.ErrBadArguments) {
		t.Error(err)
	}
	for held, seen := range map[string]string{"/picture": "interactive", "/page": "on its way"} {
		release := w.hold(held)
		w.forget()
		if _, err := tab.Evaluate(w.ctx, "location.reload()", nil); err != nil {
			t.Fatal(err)
		}
		w.visited(held, 1)
		ctx, cancel := context.WithTimeout(w.ctx, shared.Soon())
		var wait *host.WaitError
		if err := tab.WaitLoad(ctx, host.WaitLoad); !errors.As(err, &wait) || !strings.Contains(err.Error(), "load in time") || !strings.Contains(wait.Seen, seen) {
			t.Errorf("with %s held: %v", held, err)
		}
		cancel()
		release()
		if err := tab.WaitLoad(w.ctx, host.WaitLoad); err != nil {
			t.Error(err)
		}
	}
}
