package pages

import "testing"

// dragHTML has something to drag in two ways, and places to drop it: by the drag and drop of HTML, and by pointer
// events.
const dragHTML = `<style>body { margin: 0 } .box { width: 80px; height: 30px; margin: 10px; background: #ccc; touch-action: none; user-select: none }</style>
<div id=data class=box draggable=true ondragstart="event.dataTransfer.setData('text/plain', 'carried'); this.dataset.began = event.isTrusted"
	ondragend="this.dataset.ended = event.dataTransfer.dropEffect">data</div>
<div id=goal class=box ondragover="event.preventDefault(); event.dataTransfer.dropEffect = 'move'" ondrop="event.preventDefault(); this.textContent = event.dataTransfer.getData('text/plain')">goal</div>
<div id=pointer class=box>pointer</div><div id=place class=box>place</div>`

const dragScript = `(root => {
	const pointer = root.getElementById('pointer'), place = root.getElementById('place');
	let moves = 0, held = false;
	pointer.addEventListener('pointerdown', e => { held = true; pointer.setPointerCapture(e.pointerId) });
	pointer.addEventListener('pointermove', e => { if (held) { moves++; pointer.style.pointerEvents = 'none' } });
	pointer.addEventListener('pointerup', e => {
		held = false;
		pointer.releasePointerCapture(e.pointerId);
		place.textContent = root.elementFromPoint(e.clientX, e.clientY)?.id + ' after ' + (moves > 4);
		pointer.style.pointerEvents = '';
	});
})`

var dragPages = map[string]string{
	"/drag":    dragHTML + `<script>` + dragScript + `(document)</script>`,
	"/shadows": `<div id=h></div><script>const root = h.attachShadow({mode: 'closed'}); root.innerHTML = ` + "`" + dragHTML + "`" + `; ` + dragScript + `(root)</script>`,
	"/framed":  `<p style="height:70px">above</p><iframe src="/drag" style="margin-left:40px;border:7px solid;width:300px;height:250px"></iframe>`,
	"/remote":  `<p style="height:70px">above</p><iframe src="{{127.0.0.1}}/drag" style="margin-left:40px;border:7px solid;width:300px;height:250px"></iframe>`,
	"/deep":    `<iframe src="{{127.0.0.1}}/deeper" style="margin:30px;width:400px;height:350px"></iframe>`,
	"/deeper":  `<iframe src="{{127.0.0.2}}/shadows" style="margin:20px;width:300px;height:280px"></iframe>`,
}

func TestDragsInEveryKindOfPlace(t *testing.T) {
	w := newWorld(t, dragPages)
	for _, path := range []string{"/drag", "/shadows", "/framed", "/remote", "/deep"} {
		w.open(path)
		w.good("browser_wait_for", args{"selector": "#place"})
		r := w.good("browser_drag", args{"selector": "#data", "to_selector": "#goal"})
		if got := text(t, r, "dragged"); got == "" {
			t.Errorf("%s: %s", path, show(r))
		}
		is(t, "the drop in "+path, w.js("e => e.textContent", args{"selector": "#goal"}), `"carried"`)
		is(t, "the start in "+path, w.js("e => e.dataset.began", args{"selector": "#data"}), `"true"`)
		w.good("browser_drag", args{"selector": "#pointer", "to_selector": "#place"})
		is(t, "the pointer in "+path, w.js("e => e.textContent", args{"selector": "#place"}), `"place after true"`)
	}
}

func TestADragScrollsToItsEnd(t *testing.T) {
	w := newWorld(t, map[string]string{"/far": `<style>.box { width: 80px; height: 30px; background: #ccc }</style>
<div id=data class=box draggable=true ondragstart="event.dataTransfer.setData('text/plain', 'far')">data</div><div style="height:3000px"></div>
<div id=goal class=box ondragover="event.preventDefault()" ondrop="this.textContent = event.dataTransfer.getData('text/plain')">goal</div>`})
	w.open("/far")
	w.good("browser_drag", args{"selector": "#data", "to_selector": "#goal"})
	is(t, "the drop", w.js("document.getElementById('goal').textContent"), `"far"`)
	w.good("browser_drag", args{"selector": "#goal", "to_selector": "#data"}) // which drags nothing
	is(t, "the text", w.js("document.getElementById('data').textContent"), `"data"`)
	w.good("browser_click", args{"selector": "#goal"}) // no button is held any more
}

func TestADragEndsWhereNoBarIs(t *testing.T) {
	w := newWorld(t, map[string]string{"/bar": `<style>.box { width: 80px; height: 30px; background: #ccc } footer { position: fixed; bottom: 0; width: 100%; height: 200px; background: #ddd }</style>
<p style="height: 300px"></p><div id=data class=box draggable=true ondragstart="event.dataTransfer.setData('text/plain', 'carried')">data</div><p style="height: 300px"></p>
<div id=goal class=box ondragover="event.preventDefault()" ondrop="this.textContent = event.dataTransfer.getData('text/plain')">goal</div><p style="height: 900px"></p><footer>Foot</footer>`})
	w.open("/bar")
	w.good("browser_drag", args{"selector": "#data", "to_selector": "#goal"})
	is(t, "the drop", w.js("document.getElementById('goal').textContent"), `"carried"`)
}

// A page that stops the drag of data goes on with the pointer, as its own code does.
func TestADragThatThePageStopsIsOneOfThePointer(t *testing.T) {
	w := newWorld(t, map[string]string{"/own": `<div id=data draggable=true ondragstart="event.preventDefault()" style="width:80px;height:30px;background:#ccc">data</div>
<div id=goal style="width:80px;height:30px;background:#eee" onmouseup="this.textContent = 'released'">goal</div>`})
	w.open("/own")
	w.good("browser_drag", args{"selector": "#data", "to_selector": "#goal"})
	is(t, "the end", w.js("document.getElementById('goal').textContent"), `"released"`)
}
