package e2e

import (
	"bytes"
	"image/png"
	"testing"
	"time"

	"github.com/hermes-cdp/hermes-cdp/host"
	"github.com/hermes-cdp/hermes-cdp/host/internal/e2e/shared"
)

// shotPage has a red square at 100,50, one in a frame with a border, in another process, and one far below.
var shotPages = map[string]string{
	"/shot": `<style>body { margin: 0; height: 3000px } button { position: absolute; border: 0; background: #f00; width: 80px; height: 40px }</style>
<button style="left: 100px; top: 50px" aria-label=First></button>
<iframe style="position: absolute; left: 200px; top: 100px; border: 10px solid; width: 200px; height: 100px" src="{{127.0.0.1}}/shot-in"></iframe>
<button style="left: 10px; top: 2500px" aria-label=Below></button>`,
	"/shot-in": `<style>body { margin: 0 } button { position: absolute; border: 0; background: #f00; width: 80px; height: 40px }</style>
<button style="left: 5px; top: 6px" aria-label=Inner></button><script>onload = () => report('in', 1)</script>`,
}

func (w *world) shoot(o host.ScreenshotOptions) host.Screenshot {
	w.t.Helper()
	return w.shootTab("", o)
}

func (w *world) shootTab(tab string, o host.ScreenshotOptions) host.Screenshot {
	w.t.Helper()
	s, err := w.Tab(tab).Screenshot(w.ctx, &o)
	if err != nil {
		w.t.Fatalf("screenshot %+v: %v", o, err)
	}
	return s
}

func TestScreenshots(t *testing.T) {
	w := newWorld(t, shotPages, host.TaskOptions{})
	w.open("/shot")
	w.reported("in")
	r := w.readUntil(host.ReadOptions{}, "Inner", "Below")
	view := w.shoot(host.ScreenshotOptions{})
	all := w.shoot(host.ScreenshotOptions{FullPage: true})
	if view.Height >= 3000 || all.Height < 3000 {
		t.Errorf("the viewport is %d pixels high, the page %d", view.Height, all.Height)
	}
	for _, name := range []string{"First", "Inner", "Below"} {
		one := w.shoot(host.ScreenshotOptions{Locator: host.ByRef(w.ref(r, name))})
		want(t, "the width of "+name, one.Width, 80)
		want(t, "the height of "+name, one.Height, 40)
		want(t, "the middle of "+name, colourAt(t, one.PNG, 40, 20), [3]uint32{255, 0, 0})
		want(t, "the corner of "+name, colourAt(t, one.PNG, 1, 1), [3]uint32{255, 0, 0})
	}
	_, err := w.Tab("").Screenshot(w.ctx, &host.ScreenshotOptions{Locator: host.ByRef("e1"), FullPage: true})
	wantError(t, err, host.ErrBadArguments)
	_, err = w.Tab("").Screenshot(w.ctx, &host.ScreenshotOptions{Locator: host.ByRef("e9999")})
	wantError(t, err, host.ErrUnknownRef)
}

func TestAnnotationsAreWhereTheElementsAre(t *testing.T) {
	w := newWorld(t, shotPages, host.TaskOptions{})
	w.open("/shot")
	w.reported("in")
	w.readUntil(host.ReadOptions{}, "Inner")
	s := w.shoot(host.ScreenshotOptions{Annotate: true})
	boxes := map[string][4]int{}
	for _, a := range s.Annotations {
		boxes[a.Name] = a.Box
		if got := colourAt(t, s.PNG, a.Box[0]+a.Box[2]-1, a.Box[1]+a.Box[3]-1); got == [3]uint32{255, 0, 0} {
			t.Errorf("no box is drawn around %s", a.Name)
		}
		want(t, "inside of "+a.Name, colourAt(t, s.PNG, a.Box[0]+60, a.Box[1]+30), [3]uint32{255, 0, 0})
	}
	want(t, "boxes", len(boxes), 2)
	want(t, "the first", boxes["First"], [4]int{100, 50, 80, 40})
	want(t, "the inner", boxes["Inner"], [4]int{215, 116, 80, 40})
	want(t, "what the page shows", w.evaluate("document.querySelectorAll('body > *').length"), "3")
	below := w.shoot(host.ScreenshotOptions{Annotate: true, FullPage: true})
	for _, a := range below.Annotations {
		boxes[a.Name] = a.Box
	}
	want(t, "the one below", boxes["Below"], [4]int{10, 2500, 80, 40})
}

func TestPicturesOfATabBehindAnother(t *testing.T) {
	w := newWorldAlone(t, shotPages, host.TaskOptions{})
	w.open("/shot")
	w.reported("in")
	behind := w.Snapshot().Page().ID
	before, err := w.OpenTab(w.ctx, w.url("localhost", "/shot"))
	if err != nil {
		t.Fatal(err)
	}
	w.reported("in")
	for i := range 8 {
		began := time.Now()
		s := w.shootTab(behind, host.ScreenshotOptions{Annotate: i%2 == 1, FullPage: i > 3})
		t.Logf("picture %d after %v", i, time.Since(began))
		if i%2 == 0 {
			want(t, "the red square", colourAt(t, s.PNG, 140, 70), [3]uint32{255, 0, 0})
		}
		if i%3 == 0 {
			w.shootTab(before.ID(), host.ScreenshotOptions{})
		}
		if i%3 == 1 {
			if err := before.Focus(w.ctx); err != nil {
				t.Fatal(err)
			}
		}
	}
	both := make(chan error, 2)
	for _, tab := range []string{behind, before.ID()} {
		go func() {
			_, err := w.Tab(tab).Screenshot(within(t, w.ctx, shared.Limit()), nil)
			both <- err
		}()
	}
	for range 2 {
		if err := <-both; err != nil {
			t.Errorf("both at once: %v", err)
		}
	}
}

func colourAt(t *testing.T, picture []byte, x, y int) [3]uint32 {
	t.Helper()
	m, err := png.Decode(bytes.NewReader(picture))
	if err != nil {
		t.Fatal(err)
	}
	r, g, b, _ := m.At(x, y).RGBA()
	return [3]uint32{r >> 8, g >> 8, b >> 8}
}
