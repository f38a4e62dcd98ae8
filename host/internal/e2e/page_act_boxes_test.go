package e2e

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/hermes-cdp/hermes-cdp/host"
	"github.com/hermes-cdp/hermes-cdp/host/internal/e2e/shared"
)

// boxPages have elements whose boxes are not where, or not of the size, that scripts and the DOM domain say first.
var boxPages = map[string]string{
	"/list": `<style>select, ::picker(select) { appearance: base-select }</style>
<select id=list aria-label=Fruit onchange="hit = value"><option value=a>Apple<option value=b>Banana</select>`,
	"/map": `<style>body { margin: 0 } img { border: 7px solid; padding: 5px; transform: rotate(20deg) scale(.8) }</style><div style="height: 2000px"></div>
<img usemap="#places" width=200 height=100 alt=Map src="data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7"><div style="height: 2000px"></div>
<map name=places><area id=left coords="0,0,100,100" href="#left" alt=Left><area id=round shape=circle coords="150,30,20" href="#round" alt=Round>
<area id=bent shape=poly coords="105,60,195,60,195,95,185,95,185,70,115,70,115,95,105,95" href="#bent" alt=Bent></map><map name=other><area id=lost coords="0,0,9,9" href="#lost" alt=Lost></map>`,
	"/far": `<button>Near</button><article style="content-visibility: auto; margin-top: 4000px; contain-intrinsic-size: 100px"><h2>Chapter</h2><p>All of <b>it</b></p><p hidden>never</p><button onclick="hit = 'far'">Far</button></article>`,
	"/zoom": `<style>body { margin: 0 } iframe { border: 3px solid; width: 300px; height: 150px; zoom: 1.3 }</style>
<div style="zoom: 1.7; width: 500px"><div style="transform: rotate(10deg); transform-origin: 0 0; margin: 60px"><iframe src="/framed"></iframe></div></div>
<div style="zoom: .5"><iframe src="{{127.0.0.1}}/framed"></iframe></div>`,
	"/framed": `<style>body { margin: 0 }</style><div style="zoom: .8"><iframe src="/inner" style="width: 200px; height: 100px"></iframe></div>`,
	"/inner":  `<button style="position: absolute; left: 120px; top: 40px; width: 12px; height: 12px; padding: 0" aria-label=Inner onclick="top.postMessage('in', '*')"></button>`,
	"/inert":  `<style>.gone { interactivity: inert }</style><div class=gone><button id=dead>Dead</button></div>`,
	"/drawing": `<iframe width=300 height=200 src="data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg'><a href='%23x' onclick='top.postMessage(&quot;drawn&quot;, &quot;*&quot;)'><text y='50'>A drawn link</text></a></svg>"></iframe>
<script>onmessage = e => { hit = e.data }</script>`,
}

func TestWhateverShowsAnElementItIsClicked(t *testing.T) {
	w := newWorld(t, boxPages, host.TaskOptions{})
	click := func(l host.Locator) error {
		_, err := w.Tab("").Click(w.unhurried(), l, nil)
		return err
	}
	for _, tc := range []struct {
		path, expression, want string
		at                     []host.Locator
	}{
		{"/list", "hit", `"b"`, []host.Locator{host.BySelector("#list"), host.ByText("Banana")}},
		{"/map", "location.hash", `"#left"`, []host.Locator{host.BySelector("#left")}},
		{"/map", "location.hash", `"#round"`, []host.Locator{host.ByRole("link", "Round")}},
		{"/map", "location.hash", `"#bent"`, []host.Locator{host.BySelector("#bent")}},
		{"/far", "hit", `"far"`, []host.Locator{host.ByText("Far")}},
		{"/drawing", "hit", `"drawn"`, []host.Locator{host.ByText("A drawn link")}},
	} {
		w.open(tc.path)
		for _, l := range tc.at {
			if err := click(l); err != nil {
				t.Fatalf("%s %v: %v", tc.path, l, err)
			}
		}
		want(t, tc.path, w.evaluate("new Promise(done => { const look = () => { const now = "+tc.expression+"; now ? done(now) : setTimeout(look, 10) }; look() })"), tc.want)
	}
	w.open("/list")
	if err := click(host.ByText("Banana")); err != nil {
		t.Errorf("the text of an option in a closed list: %v", err)
	}
	w.open("/map")
	hurried := func() context.Context { return within(t, w.ctx, shared.Patience(time.Second)) }
	if _, err := w.Tab("").Click(hurried(), host.BySelector("#lost"), nil); err == nil || !strings.Contains(err.Error(), "hidden") {
		t.Errorf("an area of no image: %v", err)
	}
	w.open("/inert")
	if _, err := w.Tab("").Click(hurried(), host.BySelector("#dead"), nil); err == nil || !strings.Contains(err.Error(), "inert, by its style") {
		t.Errorf("an element that is inert by a style: %v", err)
	}
}

// A frame in a zoomed box has pixels of another size.
func TestElementsInZoomedFramesAreClickedAndMeasured(t *testing.T) {
	w := newWorld(t, boxPages, host.TaskOptions{})
	w.open("/zoom")
	w.evaluate("hits = 0, onmessage = () => { hits++ }, 0")
	var frames []host.Frame
	w.await("the frames", func(s *host.Snapshot) bool {
		frames = nil
		tree := s.Page().FrameTree
		if tree == nil {
			return false
		}
		for _, f := range tree.Children {
			if strings.HasSuffix(f.URL, "/inner") {
				frames = append(frames, f)
			}
		}
		return len(frames) == 2
	})
	hits := 0
	hit := func(what string, err error) {
		t.Helper()
		if err != nil {
			t.Fatalf("%s: %v", what, err)
		}
		hits++
		want(t, what, w.evaluate(fmt.Sprintf("new Promise(done => { const look = () => hits === %d ? done(hits) : setTimeout(look, 10); look() })", hits)), fmt.Sprint(hits))
	}
	for _, f := range frames {
		at := host.BySelector("button").In(f.FrameID)
		_, err := w.Tab("").Click(w.unhurried(), at, nil)
		hit("a click on the button", err)
		found, err := w.Tab("").Inspect(w.ctx, at, host.InspectBox, nil)
		if err != nil || found.Box == nil {
			t.Fatalf("the box of the button: %+v, %v", found, err)
		}
		box := found.Box
		_, err = w.Tab("").ClickAt(w.unhurried(), host.Point{X: box.X + box.Width/2, Y: box.Y + box.Height/2}, nil)
		hit("a click on the middle of its box", err)
	}
}

func TestTheTextOfAPartThatIsSkippedIsRead(t *testing.T) {
	w := newWorld(t, boxPages, host.TaskOptions{})
	w.open("/far")
	said, err := w.Tab("").Text(w.ctx, nil)
	if err != nil {
		t.Fatal(err)
	}
	want(t, "the text", said.Text, "Near\nChapter\nAll of it\nFar")
}
