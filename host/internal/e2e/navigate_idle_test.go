package e2e

import (
	"cmp"
	"testing"

	"github.com/hermes-cdp/hermes-cdp/host"
)

// Neither the document before, which is idle, nor one that replaces itself, ends the wait for the network of the last;
// nor does a document whose frames still load.
func TestTheNetworkIsIdleOnceTheNewPageHasWhatItAskedFor(t *testing.T) {
	const asks = `<script>fetch("/slow.js").then(() => { top.document.title = "complete" })</script>`
	pages := map[string]string{
		"/before": `<p>before`, "/slow.js": "0", "/first.js": "0", "/page": `<p>page` + asks, "/inner": `<p>inner` + asks,
		"/moves":   `<script>location.replace("/page")</script>`,
		"/later":   `<script>onload = () => fetch("/first.js").then(() => location.replace("/page"))</script>`,
		"/refresh": `<meta http-equiv=refresh content="0; url=/page">`,
		"/app":     `<script>onload = () => setTimeout(() => { history.pushState(0, "", "/app/1"); fetch("/slow.js").then(() => { document.title = "complete" }) })</script>`,
		"/framed":  `<iframe></iframe><iframe src="/leaf" loading=lazy style="margin-top: 9999px"></iframe><iframe src="/inner"></iframe>`,
		"/foreign": `<iframe src="{{127.0.0.1}}/leaf"></iframe><script>onload = () => { document.title = "complete" }</script>`,
		"/leaf":    `<p>leaf`,
		// It waits for an answer until it is left: its worker may take longer to start than the network must be idle.
		"/install": `<script>fetch("/never.js"); navigator.serviceWorker.register("/sw.js").then(() => navigator.serviceWorker.ready).
			then(() => location.replace("/page"))</script>`,
		"/sw.js": `onfetch = e => e.request.url.endsWith("/never.js") || e.respondWith(fetch(e.request))`,
	}
	for to, c := range map[string]struct {
		waits []string // what the server holds back, in the order in which it is asked for
		at    string   // the page that is there in the end; empty: the same
	}{
		"/page":    {[]string{"/page", "/slow.js"}, ""},
		"/moves":   {[]string{"/page", "/slow.js"}, "/page"},
		"/later":   {[]string{"/first.js", "/page", "/slow.js"}, "/page"},
		"/refresh": {[]string{"/page", "/slow.js"}, "/page"},
		"/app":     {[]string{"/slow.js"}, "/app/1"},
		"/framed":  {[]string{"/inner", "/slow.js"}, ""},
		"/foreign": {[]string{"/leaf"}, ""},
		"/install": {[]string{"/slow.js"}, "/page"},
	} {
		t.Run(to[1:], func(t *testing.T) {
			w := newWorld(t, pages, host.TaskOptions{})
			beside, err := w.OpenTab(w.ctx, "")
			if err != nil {
				t.Fatal(err)
			}
			idle := host.NavigateOptions{WaitUntil: host.WaitNetworkIdle}
			defer w.hold("/never.js")()
			for _, from := range []string{"localhost", "127.0.0.1"} {
				if _, err := w.Tab("t1").Navigate(w.ctx, w.url(from, "/before"), &idle); err != nil {
					t.Fatal(err)
				}
				w.forget()
				release := map[string]func(){}
				for _, path := range c.waits {
					release[path] = w.hold(path)
					defer release[path]()
				}
				loaded := make(chan host.Document, 1)
				go func() {
					document, err := w.Tab("t1").Navigate(w.ctx, w.url("localhost", to), &idle)
					if err != nil {
						t.Error(err)
					}
					loaded <- document
				}()
				for _, path := range c.waits {
					w.visited(path, 1)
					w.evaluateIn(beside.ID(), "new Promise(done => setTimeout(done, 700))") // longer than the network must be idle
					if len(loaded) > 0 {
						t.Errorf("it was idle before the server answered %s: %+v", path, <-loaded)
						return
					}
					release[path]()
				}
				document := <-loaded
				want(t, "the address", document.URL, w.url("localhost", cmp.Or(c.at, to)))
				want(t, "the title", document.Title, "complete")
			}
		})
	}
}
