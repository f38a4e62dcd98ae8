package e2e

import (
	"errors"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/hermes-cdp/hermes-cdp/host"
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
