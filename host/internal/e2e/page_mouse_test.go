package e2e

import (
	"fmt"
	"strings"
	"testing"

	"github.com/hermes-cdp/hermes-cdp/host"
)

// What has no element of its own is reached by its place: parts of a canvas, also in frames that are drawn elsewhere
// and larger than they are.
func TestPointsOfAViewportAreActedOn(t *testing.T) {
	const canvas = `<style>body { margin: 0 }</style><canvas id=c width=200 height=100 aria-label="NAME"></canvas><script>
for (const kind of ["click", "dblclick", "auxclick", "pointermove", "wheel"]) c.addEventListener(kind, e => (kind !== "pointermove" || e.offsetX === 30) && report(kind + "-NAME", [e.offsetX, e.offsetY, e.shiftKey, e.button]));
</script>`
	board := func(name string) string { return strings.ReplaceAll(canvas, "NAME", name) }
	w := newWorld(t, map[string]string{
		"/board": board("top") + `<iframe src="{{127.0.0.1}}/far" style="position: absolute; left: 300px; top: 50px; border: 0; scale: 2; transform-origin: 0 0; width: 250px; height: 150px"></iframe>
<iframe src="/near" style="position: absolute; left: 20px; top: 400px; border: 4px solid; width: 250px; height: 150px"></iframe>`,
		"/far": board("far") + `<script>report("far")</script>`, "/near": board("near") + `<script>report("near")</script>`,
	}, host.TaskOptions{})
	w.open("/board")
	w.reported("far")
	w.reported("near")
	for name, c := range map[string]struct {
		at   host.Point
		x, y int
	}{"top": {host.Point{X: 30, Y: 40}, 30, 40}, "far": {host.Point{X: 300 + 2*30, Y: 50 + 2*40}, 30, 40}, "near": {host.Point{X: 24 + 30, Y: 404 + 40}, 30, 40}} {
		for kind, act := range map[string]func() (host.ActionResult, error){
			"click": func() (host.ActionResult, error) {
				return w.Tab("").ClickAt(w.ctx, c.at, &host.ClickOptions{Modifiers: []string{"Shift"}})
			},
			"dblclick": func() (host.ActionResult, error) {
				return w.Tab("").ClickAt(w.ctx, c.at, &host.ClickOptions{Double: true})
			},
			"auxclick": func() (host.ActionResult, error) {
				return w.Tab("").ClickAt(w.ctx, c.at, &host.ClickOptions{Button: host.ButtonMiddle})
			},
			"pointermove": func() (host.ActionResult, error) { return w.Tab("").HoverAt(w.ctx, c.at, nil) },
			"wheel": func() (host.ActionResult, error) {
				return w.Tab("").Scroll(w.ctx, &host.ScrollOptions{At: &c.at, Amount: 10})
			},
		} {
			w.forget()
			done, err := act()
			if err != nil || !strings.Contains(done.Element, `"`+name+`"`) {
				t.Errorf("%s on %s: %+v, %v", kind, name, done, err)
				continue
			}
			want(t, kind+" on "+name, w.reported(kind+"-"+name), fmt.Sprintf("[%d,%d,%t,%d]", c.x, c.y, kind == "click", map[string]int{"auxclick": 1, "pointermove": -1}[kind]))
		}
	}
	for _, at := range []host.Point{{X: -1, Y: 5}, {X: 5, Y: 100_000}} {
		_, err := w.Tab("").ClickAt(w.ctx, at, nil)
		wantError(t, err, host.ErrBadArguments)
	}
}

// A drag from point to point moves what follows the pointer, and carries data.
func TestPointsAreDraggedToPoints(t *testing.T) {
	w := newWorld(t, map[string]string{"/drags": `<style>body { margin: 0 } div { position: absolute; width: 100px; height: 50px }</style>
<div id=moves style="left: 0; top: 0">moves</div><div id=carries draggable=true style="left: 0; top: 100px">carries</div><div id=takes style="left: 300px; top: 100px">takes</div><script>
moves.onpointerdown = e => { moves.onpointermove = m => { moves.style.left = m.clientX - 10 + "px"; moves.style.top = m.clientY - 10 + "px" }; moves.setPointerCapture(e.pointerId) };
moves.onpointerup = e => { moves.onpointermove = null; report("moved", [e.clientX, e.clientY]) };
carries.ondragstart = e => e.dataTransfer.setData("text/plain", "load");
takes.ondragover = e => e.preventDefault();
takes.ondrop = e => { e.preventDefault(); report("dropped", [e.dataTransfer.getData("text/plain"), e.clientX, e.clientY]) };
</script>`}, host.TaskOptions{})
	w.open("/drags")
	if _, err := w.Tab("").DragAt(w.ctx, host.Point{X: 10, Y: 10}, host.Point{X: 400, Y: 300}, nil); err != nil {
		t.Fatal(err)
	}
	want(t, "the pointer's end", w.reported("moved"), "[400,300]")
	done, err := w.Tab("").DragAt(w.ctx, host.Point{X: 20, Y: 120}, host.Point{X: 390, Y: 140}, nil)
	if err != nil {
		t.Fatal(err)
	}
	want(t, "the drop", w.reported("dropped"), `["load",390,140]`)
	if !strings.Contains(done.Element, "carries") {
		t.Errorf("what was dragged is %s", done.Element)
	}
}
