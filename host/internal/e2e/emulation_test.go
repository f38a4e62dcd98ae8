package e2e

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/hermes-cdp/hermes-cdp/host"
	"github.com/hermes-cdp/hermes-cdp/host/internal/e2e/shared"
)

// told is what a page finds out, and what it found out in its first script.
const told = `<meta name=viewport content="width=device-width"><script>const tell = () => [navigator.userAgent, Intl.DateTimeFormat().resolvedOptions().timeZone, navigator.language,
	matchMedia("(prefers-color-scheme: dark)").matches, matchMedia("(prefers-reduced-motion: reduce)").matches, matchMedia("print").matches,
	navigator.onLine, navigator.maxTouchPoints].join(); window.first = tell()</script>`

const (
	permission = `navigator.permissions.query({name: "geolocation"}).then(p => p.state)`
	place      = `new Promise(r => navigator.geolocation.getCurrentPosition(p => r([p.coords.latitude, p.coords.longitude, p.coords.accuracy].join()), e => r(e.message)))`
	size       = `[innerWidth, innerHeight, devicePixelRatio].join()`
)

// emulated is everything that can be set, but for being offline, which keeps pages from opening.
func emulated(w *world) host.Emulation {
	return host.Emulation{
		Width: 411, Height: 731, Scale: 2, Mobile: true, Touch: true, UserAgent: "Tester/1.0", Locale: "de-CH", Timezone: "Asia/Tokyo",
		ColorScheme: "dark", Media: "print", ReducedMotion: true, Geolocation: &host.Geolocation{Latitude: 47.5, Longitude: 8.25, Accuracy: 12},
		Permissions: []host.Permission{{Origin: w.url("localhost", ""), Name: "geolocation", State: "granted"}},
	}
}

const wanted = `"Tester/1.0,Asia/Tokyo,de-CH,true,true,true,true,5"`

// says runs an expression in a frame.
func (w *world) says(frame, expression string) string {
	w.t.Helper()
	value, err := w.Tab("").Evaluate(w.ctx, expression, &host.EvaluateOptions{Locator: host.Locator{FrameID: frame}, AwaitPromise: true})
	if err != nil {
		w.t.Fatalf("%s: %v", expression, err)
	}
	return string(value.Value)
}

func (w *world) expect(frame, expression, want string) {
	w.t.Helper()
	if got := w.says(frame, expression); got != want {
		w.t.Errorf("%s is %s, not %s", expression, got, want)
	}
}

// openFramed opens a page with a frame of another process, and returns the frame.
func (w *world) openFramed() string {
	w.t.Helper()
	once := fmt.Sprintf("?%d", framedPages.Add(1)) // so that no frame is that of the page before
	w.open("/framed" + once)
	s := w.await("the frame's session", func(s *host.Snapshot) bool {
		list := s.Page().RawFrameTree.Children
		return len(list) == 1 && list[0].SessionID != "" && strings.HasSuffix(list[0].URL, "/inner"+once)
	})
	return s.Page().RawFrameTree.Children[0].FrameID
}

var framedPages atomic.Int64

var toldPages = map[string]string{
	"/framed": told + `<iframe></iframe><script>document.querySelector("iframe").src = "{{127.0.0.1}}/inner" + location.search</script>`,
	"/inner":  told, "/popup": told,
}

// What a task emulates is true in its page, in a frame of another process and, from the first script, in documents that
// open later; without it all is as it was.
func TestEveryDocumentOfATaskIsToldWhatItEmulates(t *testing.T) {
	w := newWorldAlone(t, toldPages, host.TaskOptions{})
	frame := w.openFramed()
	before := map[string]string{}
	for _, what := range []string{"tell()", permission, size} {
		before[what] = w.says("", what)
	}
	if err := w.Emulate(w.ctx, emulated(w)); err != nil {
		t.Fatal(err)
	}
	w.expect("", "tell()", wanted)
	w.expect(frame, "tell()", wanted)
	w.expect("", permission, `"granted"`)
	w.expect("", place, `"47.5,8.25,12"`)
	frame = w.openFramed()
	w.expect("", "first", wanted)
	w.expect(frame, "first", wanted)
	w.expect("", size, `"411,731,2"`)
	popup := w.opens("", "open('/popup')")
	if got := w.evaluateIn(popup, "first"); got != wanted {
		t.Errorf("the popup was told %s at first", got)
	}
	if got := w.evaluateIn(popup, size); got != `"411,731,2"` {
		t.Errorf("the popup has the size %s", got)
	}
	if _, err := w.Tab(popup).Evaluate(w.ctx, "close()", nil); err != nil {
		t.Logf("closing the popup: %v", err)
	}
	w.await("the end of the popup", func(s *host.Snapshot) bool { return len(s.Targets) > 0 && s.Page() != nil && s.Page().ID != popup })
	if err := w.Emulate(w.ctx, host.Emulation{}); err != nil {
		t.Fatal(err)
	}
	for what, want := range before {
		w.expect("", what, want)
	}
	w.expect(frame, "tell()", before["tell()"])
}

// A page that is offline knows it and reaches nothing, until it is online again.
func TestAPageIsOfflineUntilItIsNot(t *testing.T) {
	w := newWorldAlone(t, toldPages, host.TaskOptions{})
	frame := w.openFramed()
	const reach = `fetch("/popup?" + Math.random()).then(() => "reached", () => "not reached")`
	for _, offline := range []bool{true, false} {
		if err := w.Emulate(w.ctx, host.Emulation{Offline: offline}); err != nil {
			t.Fatal(err)
		}
		want := map[bool][2]string{true: {"false", `"not reached"`}, false: {"true", `"reached"`}}[offline]
		for _, in := range []string{"", frame} {
			w.expect(in, "navigator.onLine", want[0])
			w.expect(in, reach, want[1])
		}
	}
}

const speed = `(async () => { const began = performance.now(); await fetch("/data?" + Math.random()).then(r => r.text()); return performance.now() - began })()`

// A network is as slow as it is told to be, and a page that is slower takes longer for the same work.
func TestAPageIsAsSlowAsItIsTold(t *testing.T) {
	w := newWorldAlone(t, map[string]string{"/page": `<p>page`, "/data": strings.Repeat("x", 50_000)}, host.TaskOptions{})
	w.open("/page")
	took := func(expression string) (ms float64) {
		decode(t, w.says("", expression), &ms)
		return ms
	}
	const work = `new Promise(done => setTimeout(() => { const began = performance.now(); let n = 0; for (let i = 0; i < 3e7; i++) n += Math.sqrt(i); done(performance.now() - began) }))`
	quickest := func() float64 { return min(took(work), took(work), took(work)) }
	quick := quickest()
	// 50 kB take a second with 400 kbit/s, and the answer begins after 300 ms.
	if err := w.Emulate(w.ctx, host.Emulation{Network: &host.NetworkSpeed{LatencyMS: 300, DownloadKbps: 400}, CPUSlowdown: 20}); err != nil {
		t.Fatal(err)
	}
	if ms := took(speed); ms < 1000 {
		t.Errorf("it took %v ms", ms)
	}
	waitUntil(t, "a page that is slower", func() bool { return quickest() > 3*quick })
	if err := w.Emulate(w.ctx, host.Emulation{}); err != nil {
		t.Fatal(err)
	}
	if ms := min(took(speed), took(speed), took(speed)); ms > 1000 {
		t.Errorf("it still took %v ms", ms)
	}
}

// A page on a device sees its screen, its user agent and the client hints that go with that.
func TestAPageIsOnADevice(t *testing.T) {
	w := newWorldAlone(t, toldPages, host.TaskOptions{})
	for name, want := range map[string]string{
		"pixel 7":       `"412,915,2.625,5,Android/Chrome,Linux armv81,true,Android,Pixel 7"`,
		"iPhone 15":     `"393,852,3,5,iPhone/,iPhone,false,,"`, // Safari has no client hints,
		"Galaxy Tab S4": `"712,1138,2.25,5,Android/Chrome,Linux armv81,false,Android,SM-T837A"`,
	} {
		e, err := w.Device(w.ctx, name)
		if err != nil {
			t.Fatal(err)
		}
		if err := w.Emulate(w.ctx, e); err != nil {
			t.Fatal(err)
		}
		w.open("/popup")
		w.expect("", `(async () => {
			const has = name => navigator.userAgent.includes(name) ? name : "", hints = navigator.userAgentData;
			const {model} = await hints?.getHighEntropyValues(["model"]) ?? {};
			const version = navigator.userAgent.match(/Chrome\/(\d+)/)?.[1], agrees = !version || hints.brands.some(b => b.version === version);
			return [innerWidth, innerHeight, devicePixelRatio, navigator.maxTouchPoints, has("Android") + has("iPhone") + "/" + (agrees ? has("Chrome") : "another"),
				navigator.platform, hints?.mobile, hints?.platform, model].join();
		})()`, want)
	}
	if _, err := w.Device(w.ctx, "Pixle 7"); !errors.Is(err, host.ErrBadArguments) || !strings.Contains(err.Error(), "did you mean Pixel 7?") {
		t.Error(err)
	}
}

// Style sheets ask for a pointer that hovers before they show a menu to it. On a machine without a mouse, and without a
// window, Chromium knows of none by itself.
func TestAPageIsToldOfTheMouseThatAgentsHave(t *testing.T) {
	w := newWorldAlone(t, map[string]string{"/page": `<style>#item { display: none } @media (hover: hover) and (pointer: fine) { nav:hover #item { display: block } }</style>
		<nav>Menu <button id=item onclick="this.textContent = 'done'">Item</button></nav>`}, host.TaskOptions{})
	const has = `[matchMedia("(hover: hover)").matches, matchMedia("(pointer: fine)").matches, matchMedia("(any-pointer: coarse)").matches]`
	w.open("/page")
	w.expect("", has, "[true,true,false]")
	phone, err := w.Device(w.ctx, "Pixel 7")
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range []host.Emulation{phone, {}} {
		if err := w.Emulate(w.ctx, e); err != nil {
			t.Fatal(err)
		}
		w.open("/page")
		w.expect("", has, map[bool]string{true: "[false,false,true]", false: "[true,true,false]"}[e.Touch])
	}
	tab := w.Tab("")
	if _, err := tab.Hover(w.ctx, host.BySelector("nav"), nil); err != nil {
		t.Fatal(err)
	}
	if _, err := tab.Click(w.ctx, host.BySelector("#item"), nil); err != nil {
		t.Fatal(err)
	}
	w.expect("", `document.querySelector("#item").textContent`, `"done"`)
}

// Headers go with the requests of documents, pages, frames of other processes and workers, also after a reconnect, and
// their values are nowhere to be read.
func TestHeadersAreSentAndNotShown(t *testing.T) {
	w, p := newBroken(t, toldPages)
	w.Handle("/asked", func(out http.ResponseWriter, r *http.Request) {
		_, _ = io.WriteString(out, "sent "+r.Header.Get("X-Key"))
	})
	const asks = `fetch("/asked").then(r => r.text())`
	asked := func(want string) {
		t.Helper()
		frame := w.openFramed()
		w.expect("", asks, want)
		w.expect(frame, asks, want)
		w.expect("", `new Promise(done => new Worker(URL.createObjectURL(new Blob(["fetch('" + location.origin + "/asked').then(r => r.text()).then(postMessage)"]))).onmessage = e => done(e.data))`, want)
		w.open("/asked")
		w.expect("", "document.body.textContent", want)
	}
	if err := w.Emulate(w.ctx, host.Emulation{Headers: host.Headers{"X-Key": "very-secret"}}); err != nil {
		t.Fatal(err)
	}
	asked(`"sent very-secret"`)
	events := w.Events(100)
	p.cut()
	w.back(events)
	asked(`"sent very-secret"`)
	e := w.Emulation()
	shown := fmt.Sprintf("%v %+v %#v %s %s", e, e, e.Headers, shared.Dump(e), shared.Dump(w.Requests()))
	if strings.Contains(shown, "very-secret") || !strings.Contains(shown, "X-Key") {
		t.Error(shown)
	}
	err := w.Emulate(w.ctx, host.Emulation{Headers: host.Headers{"X-Key": "very-secret\n"}})
	if !errors.Is(err, host.ErrBadArguments) || strings.Contains(err.Error(), "very-secret") {
		t.Error(err)
	}
	if err := w.Emulate(w.ctx, host.Emulation{}); err != nil {
		t.Fatal(err)
	}
	asked(`"sent "`)
}

// What the browser does not take is named, and changes nothing.
func TestAnUnknownTimezoneIsABadArgument(t *testing.T) {
	w := newWorldAlone(t, toldPages, host.TaskOptions{})
	w.open("/popup")
	if err := w.Emulate(w.ctx, host.Emulation{Timezone: "Asia/Tokyo", ColorScheme: "dark"}); err != nil {
		t.Fatal(err)
	}
	err := w.Emulate(w.ctx, host.Emulation{Timezone: "Nowhere/Town"})
	if !errors.Is(err, host.ErrBadArguments) || !strings.Contains(err.Error(), "timezone") {
		t.Error(err)
	}
	err = w.Emulate(w.ctx, host.Emulation{Permissions: []host.Permission{{Origin: w.url("localhost", ""), Name: "magic", State: "granted"}}})
	if !errors.Is(err, host.ErrBadArguments) || !strings.Contains(err.Error(), "permissions") {
		t.Error(err)
	}
	if w.Emulation().Timezone != "Asia/Tokyo" {
		t.Errorf("%+v", w.Emulation())
	}
	w.expect("", "Intl.DateTimeFormat().resolvedOptions().timeZone", `"Asia/Tokyo"`)
	w.expect("", `matchMedia("(prefers-color-scheme: dark)").matches`, "true")
}

// After a reconnect the same is emulated.
func TestWhatIsEmulatedOutlivesTheConnection(t *testing.T) {
	w, p := newBroken(t, toldPages)
	w.openFramed()
	if err := w.Emulate(w.ctx, emulated(w)); err != nil {
		t.Fatal(err)
	}
	events := w.Events(100)
	p.cut()
	w.back(events)
	frame := w.openFramed()
	w.expect(frame, "tell()", wanted)
	w.expect("", "first", wanted)
	w.expect(frame, "first", wanted)
	w.expect("", place, `"47.5,8.25,12"`)
}

// A tab that a task adopted is left as it was found.
func TestATabThatIsLeftIsNotEmulatedAnyMore(t *testing.T) {
	w := newWorldAlone(t, toldPages, host.TaskOptions{Scope: host.ScopeBrowser})
	w.open("/popup")
	before := w.says("", "tell()")
	asked := w.says("", permission)
	other := attach(t, newHost(t, host.Options{}), w.address, host.TaskOptions{TargetID: w.Snapshot().Page().ID})
	if err := other.Emulate(w.ctx, emulated(w)); err != nil {
		t.Fatal(err)
	}
	w.expect("", "tell()", wanted)
	w.expect("", permission, `"granted"`)
	if err := other.Close(w.ctx); err != nil {
		t.Fatal(err)
	}
	w.expect("", "tell()", before)
	w.expect("", permission, asked)
}
