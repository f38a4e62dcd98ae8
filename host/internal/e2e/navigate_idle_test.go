package e2e

import (
	"fmt"
	"testing"

	"github.com/hermes-cdp/hermes-cdp/host"
)

// The document before is idle, and so is one that replaces itself: neither ends the wait for the network of the last.
func TestTheNetworkIsIdleOnceTheNewPageHasWhatItAskedFor(t *testing.T) {
	pages := map[string]string{
		"/before": `<p>before`, "/slow.js": "0",
		"/page":  `<body><script>fetch("/slow.js").then(() => { document.title = "complete" })</script>`,
		"/moves": `<body><script>location.replace("/page")</script>`,
	}
	const rounds = 5
	for _, to := range []string{"/page", "/moves"} {
		for _, site := range []string{"localhost", "127.0.0.1"} {
			t.Run(fmt.Sprint(to[1:], " at ", site), func(t *testing.T) {
				w := newWorld(t, pages, host.TaskOptions{})
				idle := host.NavigateOptions{WaitUntil: host.WaitNetworkIdle}
				for range rounds {
					if _, err := w.Tab("").Navigate(w.ctx, w.url("localhost", "/before"), &idle); err != nil {
						t.Fatal(err)
					}
					w.forget()
					release := w.hold("/slow.js")
					loaded := make(chan host.Document, 1)
					go func() {
						document, err := w.Tab("").Navigate(w.ctx, w.url(site, to), &idle)
						if err != nil {
							t.Error(err)
						}
						loaded <- document
					}()
					w.visited("/slow.js", 1)
					w.evaluate("new Promise(done => setTimeout(done, 700))") // longer than the network must be idle
					select {
					case early := <-loaded:
						t.Errorf("it was idle before the request was answered: %s", early.URL)
						release()
						continue
					default:
					}
					release()
					document := <-loaded
					want(t, "the address", document.URL, w.url(site, "/page"))
					want(t, "the title", document.Title, "complete")
				}
			})
		}
	}
}
