package e2e

import (
	"testing"

	"github.com/hermes-cdp/hermes-cdp/host"
	"github.com/hermes-cdp/hermes-cdp/host/internal/e2e/shared"
)

// closingWindows is a page that closes the windows it opens, at once or a little later: before the host has attached
// to a window, while its request is paused, and while the module decides.
const closingWindows = `<script>
	const wait = ms => new Promise(done => setTimeout(done, ms))
	async function openAndClose(url) {
		for (let i = 0; i < 30; i++) {
			const opened = open(url)
			if (i % 2) await wait(i)
			opened.close()
			await wait(10)
		}
	}
	async function closeSending(n) {
		for (let i = 0; i < n; i++) {
			const opened = open("/sender")
			while (!opened.send) await wait(10)
			opened.send()
			await wait(i)
			opened.close()
		}
	}</script>`

// What is paused in a window, the browser continues as the window closes. A page must not evade the modules that way.
func TestAWindowThatClosesAtOnceGoesNowhere(t *testing.T) {
	t.Parallel()
	address, _ := shared.Own(t)
	g := newGuardedOn(t, address, guardOptions(), map[string]string{"/page": closingWindows}, host.TaskOptions{})
	g.open("/page")
	if _, err := g.Tab("").Evaluate(g.unhurried(), `openAndClose("/x!d")`, nil); err != nil {
		t.Fatal(err)
	}
	g.await("its windows are closed", func(s *host.Snapshot) bool { return len(s.Targets) == 1 })
	// What came before is over by then.
	if _, err := g.Tab("").Evaluate(g.unhurried(), `openAndClose("/empty")`, nil); err != nil {
		t.Fatal(err)
	}
	g.never("/x!d")
}

// What a page sends as it is closed is lost only if the module says so: it may be what a person wrote into it.
func TestWhatAWindowSendsAsItClosesIsDecided(t *testing.T) {
	t.Parallel()
	address, _ := shared.Own(t)
	w := newWorldOn(t, address, sieveOptions(t), map[string]string{"/page": closingWindows, "/sender": `<body><script>
		function send() {
			navigator.sendBeacon("/beacon!b")
			fetch("/alive!b", {keepalive: true}).catch(() => 0)
			fetch("/fetch!b").catch(() => 0)
			document.querySelector("iframe").contentWindow.navigator.sendBeacon("/inner!b")
			navigator.sendBeacon("/saved")
		}
		</script><iframe></iframe>`}, host.TaskOptions{})
	w.open("/page")
	if _, err := w.Tab("").Evaluate(w.unhurried(), "closeSending(10)", nil); err != nil {
		t.Fatal(err)
	}
	w.await("its windows are closed", func(s *host.Snapshot) bool { return len(s.Targets) == 1 })
	if err := w.Visited(w.ctx, "/saved", 10); err != nil {
		t.Error(err)
	}
	for _, path := range []string{"/beacon!b", "/alive!b", "/fetch!b", "/inner!b"} {
		if n := w.Visits(path); n != 0 {
			t.Errorf("%s was visited %d times", path, n)
		}
	}
}

// The session of an out-of-process frame ends with the frame, while its beacons are paused or on their way.
func TestNoBeaconOfARemovedFrameEvadesTheModules(t *testing.T) {
	t.Parallel()
	address, _ := shared.Own(t)
	w := newWorldOn(t, address, sieveOptions(t), map[string]string{"/page": `<script>
		const wait = ms => new Promise(done => setTimeout(done, ms)), heard = () => new Promise(done => onmessage = done)
		async function remove(n) {
			for (let i = 0; i < n; i++) {
				const frame = document.createElement("iframe"), ready = heard()
				frame.src = "{{127.0.0.1}}/sender"
				document.body.append(frame)
				await ready
				frame.contentWindow.postMessage(0, "*")
				await wait(i)
				frame.remove()
			}
		}</script><body>`, "/sender": `<script>
		onmessage = () => { for (let i = 0; i < 20; i++) navigator.sendBeacon("/beacon!b") }
		onload = () => parent.postMessage(0, "*")</script>`}, host.TaskOptions{})
	w.open("/page")
	if _, err := w.Tab("").Evaluate(w.unhurried(), "remove(10)", nil); err != nil {
		t.Fatal(err)
	}
	w.becomes("")
	w.evaluate(`fetch("/empty").then(r => r.status)`)
	if n := w.Visits("/beacon!b"); n != 0 {
		t.Errorf("%d beacons came", n)
	}
}
