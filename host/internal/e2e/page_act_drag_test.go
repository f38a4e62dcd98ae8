package e2e

import (
	"errors"
	"strings"
	"testing"

	"github.com/hermes-cdp/hermes-cdp/host"
)

const dragged = `<style>
	body { margin: 0 } div { position: absolute; width: 90px; height: 60px; background: silver; user-select: none } iframe { position: absolute; border: 0 }
	#from { top: 20px; left: 20px } #to { top: 200px; left: 300px } #veil { inset: 150px 0 0 0; width: auto; height: auto; display: none }
</style>
<div id=from aria-label=From role=button>from</div><div id=to aria-label=To role=button>to</div><div id=veil role=dialog aria-label=Veil></div><script>
const $ = id => document.getElementById(id), from = $("from"), to = $("to"), veil = $("veil");
const ofData = () => { from.draggable = true; from.ondragstart = e => e.dataTransfer.setData("text/plain", "cargo") };
const takes = e => { e.ondragover = e => e.preventDefault(); e.ondrop = e => { e.preventDefault(); globalThis.dropped = true } };
for (const type of ["pointerup", "drop"]) addEventListener(type, () => { document.body.dataset.ended = type }, true);
const moveTo = (e, event) => { e.style.left = event.clientX - 20 + "px"; e.style.top = event.clientY - 20 + "px" };
</script>`

func TestADragThatEndsSomewhereElseIsAnErrorThatNamesIt(t *testing.T) {
	w := newWorld(t, map[string]string{
		"/pointer": dragged + `<script>from.onpointerdown = () => { veil.style.display = "block" }</script>`,
		"/data":    dragged + `<script>ofData(); takes(veil); from.ondragend = () => {}; from.addEventListener("dragstart", () => { veil.style.display = "block" })</script>`,
		"/refused": dragged + `<script>ofData(); takes(to); from.addEventListener("dragstart", () => { veil.style.display = "block" })</script>`,
		"/covered": dragged + `<script>veil.style.display = "block"</script>`,
		"/framed":  dragged + `<iframe style="top: 150px; width: 700px; height: 200px" srcdoc="<p id=within style='position: absolute; top: 50px; left: 300px'>within</p>"></iframe><script>ofData(); veil.style.display = "block"; veil.style.zIndex = 1</script>`,
	}, host.TaskOptions{})
	for path, to := range map[string]string{"/pointer": "#to", "/data": "#to", "/refused": "#to", "/covered": "#to", "/framed": "#within"} {
		w.open(path)
		acted, err := w.Tab("").Drag(w.unhurried(), host.BySelector("#from"), host.BySelector(to), nil)
		var not *host.NotDeliveredError
		if !errors.As(err, &not) || !strings.Contains(not.Met, `dialog "Veil"`) {
			t.Errorf("%s: %+v, %v", path, acted, err)
		}
	}
}

func TestADragSaysWhatThePageMadeOfIt(t *testing.T) {
	w := newWorld(t, map[string]string{
		"/refused":   dragged + `<script>ofData()</script>`,
		"/refusedIn": dragged + `<iframe id=f style="top: 150px; width: 700px; height: 200px" src="{{127.0.0.1}}/within"></iframe><script>ofData()</script>`,
		"/idle":      `<p id=from style="user-select: none">from</p><p id=to>to</p>`,
		"/selected":  `<p id=from>from</p><p id=to>to</p>`,
		"/drawn":     `<canvas id=from></canvas><p id=to>to</p>`,
		"/deferred":  `<p id=from>from</p><p id=to>to</p><script>onpointerup = () => requestAnimationFrame(() => { to.title = "done" })</script>`,
		"/within":    `<p id=within style="position: absolute; top: 50px; left: 300px">within</p>`,
		"/moved": dragged + `<script>from.onpointerdown = () => { from.style.pointerEvents = "none" };
to.onpointermove = () => { to.style.transform = "translateY(100px)" }</script>`,
	}, host.TaskOptions{})
	for path, tc := range map[string]struct{ from, to, note string }{
		"/refused":       {"#from", "#to", `the page refused the drop on button "To"`},
		"/refusedIn":     {"#from", "#within", "the page refused the drop on"},
		"/moved":         {"#from", "#to", `the page moved button "To" away`},
		"/refusedIn?out": {"#within", "#to", "in the frame in which it was pressed"},
		"/idle":          {"#from", "#to", "nothing in the document has changed so far"},
		"/selected":      {"#from", "#to", "only text was selected"},
		"/drawn":         {"#from", "#to", ""},
		"/deferred":      {"#from", "#to", ""},
	} {
		w.open(path)
		acted, err := w.Tab("").Drag(w.unhurried(), host.BySelector(tc.from), host.BySelector(tc.to), nil)
		if err != nil || !strings.Contains(acted.Note, tc.note) || tc.note == "" && acted.Note != "" {
			t.Errorf("%s: %+v, %v", path, acted, err)
		}
	}
}

// Pages move what is dragged along, catch the pointer, or let it pass through the elements that things are dropped on.
func TestADragThatArrivesIsASuccess(t *testing.T) {
	w := newWorld(t, map[string]string{
		"/pointer": dragged,
		"/moved":   dragged + `<script>from.style.zIndex = 1; from.onpointerdown = () => { onpointermove = e => moveTo(from, e) }</script>`,
		"/ghost": dragged + `<script>from.onpointerdown = () => {
	const ghost = document.body.appendChild(from.cloneNode(true));
	onpointermove = e => requestAnimationFrame(() => moveTo(ghost, e));
}</script>`,
		"/captured": dragged + `<script>onpointerdown = e => { document.body.setPointerCapture(e.pointerId) }</script>`,
		"/through":  dragged + `<script>from.onpointerdown = () => { to.style.pointerEvents = "none" }</script>`,
		"/shield":   dragged + `<script>onpointermove = e => { if (e.buttons && !$("s")) document.body.insertAdjacentHTML("beforeend", "<div id=s style='position:fixed;inset:0;width:auto;height:auto;background:none'></div>") }</script>`,
		"/redrawn": dragged + `<script>onpointermove = e => {
	if (e.buttons && e.clientX > 250) { from.outerHTML = "<div id=from>to</div>"; to.outerHTML = to.outerHTML.replace("to</div>", "from</div>").replace("id=to", "id=late") }
}</script>`,
		"/data": dragged + `<script>ofData(); takes(to)</script>`,
		"/later": dragged + `<script>
ofData(); takes(to);
let ready = false;
to.ondragover = e => { if (ready) e.preventDefault(); requestAnimationFrame(() => { ready = true }) };
</script>`,
		"/within":  dragged + `<script>ofData(); takes(document.body); to.innerHTML = "<b>inner</b>"</script>`,
		"/stopped": `<script>for (const type of ["pointerup", "dragover", "drop"]) addEventListener(type, e => { e.stopImmediatePropagation(); e.preventDefault() }, true)</script>` + dragged + `<script>ofData()</script>`,
		"/silent":  `<script>for (const type of ["pointerup", "mouseup"]) addEventListener(type, e => e.stopImmediatePropagation(), true)</script>` + dragged,
		"/gone":    dragged + `<script>ofData(); takes(to); to.addEventListener("drop", () => { location = "/pointer" })</script>`,
		"/frame":   dragged + `<iframe style="top: 150px; width: 700px; height: 200px" src="/inner"></iframe>`,
		"/remote":  dragged + `<iframe style="top: 150px; width: 700px; height: 200px" src="{{127.0.0.1}}/inner"></iframe>`,
		"/inner":   `<p id=inner style="position: absolute; top: 50px; left: 300px">inner</p>`,
		"/onto":    dragged + `<iframe id=onto style="top: 150px; width: 700px; height: 200px" src="{{127.0.0.1}}/taking"></iframe><script>ofData()</script>`,
		"/taking":  `<body style="height: 200px" ondragover="event.preventDefault()" ondrop="event.preventDefault()">`,
	}, host.TaskOptions{})
	for path, to := range map[string]string{
		"/pointer": "#to", "/moved": "#to", "/ghost": "#to", "/captured": "#to", "/through": "#to", "/shield": "#to", "/redrawn": "#to", "/data": "#to", "/later": "#to", "/within": "#to",
	} {
		w.open(path)
		acted, err := w.Tab("").Drag(w.unhurried(), host.BySelector("#from"), host.BySelector(to), nil)
		if err != nil || acted.Note != "" {
			t.Errorf("%s: %+v, %v", path, acted, err)
		}
	}
}

// Pages that tell a drag from a click by time, as libraries for lists and boards do, want the button held for a moment.
func TestADragHoldsTheButtonBeforeItMoves(t *testing.T) {
	w := newWorld(t, map[string]string{"/page": dragged + `<script>
let pressed, held;
from.onpointerdown = e => { pressed = e.timeStamp };
onpointermove = e => { if (pressed) held ??= e.timeStamp - pressed };
</script>`}, host.TaskOptions{})
	w.open("/page")
	if _, err := w.Tab("").Drag(w.unhurried(), host.BySelector("#from"), host.BySelector("#to"), nil); err != nil {
		t.Fatal(err)
	}
	want(t, "held for a quarter of a second", w.evaluate("held >= 250"), "true")
}

// Lists put what is dragged before or after the item that it ends on, by the side of its middle on which the pointer is
// released.
func TestADragTakesThePlaceOfTheItemThatItEndsOn(t *testing.T) {
	const page = `<style>ul { margin: 0; padding: 0; width: 330px; list-style: none; user-select: none } li { width: 100px; height: 40px }</style><ul><li>a<li>b<li>c<li>d<li>e</ul><script>
const list = document.querySelector("ul"), across = !location.pathname.startsWith("/column");
if (location.search) for (const li of list.children) li.draggable = true, li.id = li.textContent;
let lifted;
const drop = e => {
	const over = document.elementFromPoint(e.clientX, e.clientY).closest("li"), box = over.getBoundingClientRect();
	const past = across ? e.clientX > box.x + box.width / 2 : e.clientY > box.y + box.height / 2;
	over[past !== location.pathname.includes("reverse") ? "after" : "before"](lifted);
};
onpointerdown = e => { lifted = e.target };
if (location.search) { ondragstart = e => e.dataTransfer.setData("text/plain", ""); ondragover = e => e.preventDefault(); ondrop = drop } else onpointerup = drop;
</script>`
	styles := map[string]string{
		"/column": "", "/column-reverse": "display: flex; flex-direction: column-reverse", "/row": "display: flex; width: auto",
		"/row-reverse": "display: flex; flex-direction: row-reverse; width: auto", "/grid": "display: flex; flex-wrap: wrap",
	}
	files := map[string]string{}
	for path, style := range styles {
		files[path] = page + "<style>ul { " + style + " }</style>"
	}
	w := newWorld(t, files, host.TaskOptions{})
	for path := range styles {
		for _, kind := range []string{"", "?data"} {
			for _, c := range []struct{ from, to, want string }{{"a", "c", "bcade"}, {"a", "b", "bacde"}, {"d", "b", "adbce"}, {"e", "a", "eabcd"}, {"a", "e", "bcdea"}} {
				w.open(path + kind)
				if _, err := w.Tab("").Drag(w.unhurried(), host.ByText(c.from), host.ByText(c.to), nil); err != nil {
					t.Fatalf("%s from %s to %s: %v", path+kind, c.from, c.to, err)
				}
				want(t, path+kind+" from "+c.from+" to "+c.to, w.evaluate("list.textContent"), `"`+c.want+`"`)
			}
		}
	}
}

// Lists let their items slide out of the way, and look at the pointer again only when it moves after that.
func TestADragWaitsForItemsThatMakeRoom(t *testing.T) {
	w := newWorld(t, map[string]string{"/page": `<style>ul { width: 100px; padding: 0; list-style: none; user-select: none } li { height: 40px }</style><ul><li>a<li>b<li>c<li>d</ul><script>
const list = document.querySelector("ul");
let lifted, sliding = false;
onpointerdown = e => { lifted = e.target };
onpointerup = () => { lifted = null };
onpointermove = e => {
	const over = e.target.closest("li");
	if (!lifted || sliding || !over || over === lifted) return;
	over[lifted.compareDocumentPosition(over) & Node.DOCUMENT_POSITION_FOLLOWING ? "after" : "before"](lifted);
	sliding = true;
	over.animate([{transform: "translateX(5px)"}, {}], 250).onfinish = () => { sliding = false };
};
</script>`}, host.TaskOptions{})
	w.open("/page")
	acted, err := w.Tab("").Drag(w.unhurried(), host.ByText("a"), host.ByText("d"), nil)
	if err != nil || acted.Note != "" {
		t.Errorf("%+v, %v", acted, err)
	}
	want(t, "the list", w.evaluate("list.textContent"), `"bcda"`)
}
