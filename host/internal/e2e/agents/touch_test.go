package agents

import (
	"net/http"
	"testing"

	"github.com/hermes-cdp/hermes-cdp/host"
)

// touched are pages for fingers, what is done there, and what an expression says of it afterwards.
var touched = map[string]struct {
	body, script string
	tool         string
	a            arguments
	is, wanted   string
}{
	"a key of a number pad, which hears no click": {
		`<button id=key>5</button><output id=out></output>`,
		`key.addEventListener("touchstart", e => { e.preventDefault(); out.value += "5" }, {passive: false})`,
		"browser_click", arguments{"selector": "#key"}, `out.value`, `"5"`,
	},
	"a press that only the mouse is not": {
		`<button id=b>Press</button>`,
		`heard = []; for (const type of ["pointerdown", "touchstart", "pointerup", "touchend", "mousedown", "click"]) b.addEventListener(type, e => heard.push(type + " " + (e.pointerType ?? "")))`,
		"browser_click", arguments{"selector": "#b"}, `heard.join()`, `"pointerdown touch,touchstart ,pointerup touch,touchend ,mousedown ,click touch"`,
	},
	"a click that a page cancels": {
		`<button id=b>Press</button>`,
		`clicks = 0; b.onclick = () => { clicks++ }; b.addEventListener("touchend", e => e.preventDefault())`,
		"browser_click", arguments{"selector": "#b"}, `clicks`, `0`,
	},
	"a menu that opens under the finger": {
		`<button id=opens>Menu</button><button id=remove hidden style="position: absolute; left: 0; top: 0; width: 100%; height: 100%">Delete</button>`,
		`removed = false; opens.addEventListener("touchstart", () => { remove.hidden = false }); remove.onclick = () => { removed = true }; document.body.style.height = "600px"`,
		"browser_click", arguments{"selector": "#opens"}, `remove.hidden + " " + removed`, `"false false"`,
	},
	"a button that moves away on the touch, from above another": {
		`<div id=gap style="height: 40px"></div><button id=keep style="display: block; height: 40px">Keep</button><button id=remove style="display: block; height: 40px">Delete</button>`,
		`kept = removed = 0; keep.onclick = () => { kept++ }; remove.onclick = () => { removed++ }; keep.addEventListener("touchstart", () => gap.remove(), {once: true})`,
		"browser_click", arguments{"selector": "#keep"}, `kept + " " + removed`, `"1 0"`,
	},
	"a text beside a button, which Chromium gives the touch": {
		`<button id=near><span><i>Pick a date</i></span></button><div>Only <span id=text>a text</span></div>`,
		`heard = []; for (const type of ["pointerdown", "touchstart", "touchend", "touchcancel", "click"]) near.addEventListener(type, () => heard.push(type)); document.onclick = e => heard.push(e.target.id)`,
		"browser_click", arguments{"selector": "#text"}, `heard.join()`, `"text"`,
	},
	"a point": {
		`<div id=pad style="position: fixed; left: 0; top: 0; width: 100px; height: 100px; background: teal"></div>`,
		`heard = []; for (const type of ["touchstart", "touchend", "click"]) pad.addEventListener(type, () => heard.push(type))`,
		"browser_mouse", arguments{"action": "click", "x": 50, "y": 50}, `heard.join()`, `"touchstart,touchend,click"`,
	},
	"a frame of another site": {
		`<iframe id=f width=200 height=100></iframe><output id=out></output>`,
		`f.src = location.href.replace("localhost", "127.0.0.1").replace(/[^/]*$/, "touched"); onmessage = e => { out.value += e.data }; await new Promise(done => f.onload = done)`,
		"browser_click", arguments{"text": "Framed"}, `new Promise(done => { const look = () => out.value ? done(out.value) : setTimeout(look, 20); look() })`, `"touched"`,
	},
	"a checkbox": {
		`<label><input type=checkbox id=box> Yes</label>`, ``,
		"browser_check", arguments{"selector": "#box", "checked": true}, `box.checked`, `true`,
	},
	"a field": {
		`<input id=field>`, `field.addEventListener("touchstart", () => { field.placeholder = "touched" })`,
		"browser_type", arguments{"selector": "#field", "text": "Ada"}, `field.placeholder + " " + field.value`, `"touched Ada"`,
	},
	"a slider": {
		`<div id=knob style="position: absolute; left: 10px; width: 40px; height: 40px; background: teal; touch-action: none">Knob</div><div id=goal style="position: absolute; left: 200px; width: 40px; height: 40px">Goal</div>`,
		`knob.addEventListener("touchmove", e => { knob.style.left = e.touches[0].clientX - 20 + "px" })`,
		"browser_drag", arguments{"selector": "#knob", "to_selector": "#goal"}, `Math.abs(parseFloat(knob.style.left) - 200) < 2`, `true`,
	},
	"pictures that are swiped": {
		`<div id=strip style="width: 300px; overflow-x: scroll; white-space: nowrap"><div id=one style="display: inline-block; width: 150px; height: 100px">One</div><div id=two style="display: inline-block; width: 140px; height: 100px">Two</div><div style="display: inline-block; width: 600px">Rest</div></div>`, ``,
		"browser_drag", arguments{"selector": "#two", "to_selector": "#one"}, `strip.scrollLeft > 50`, `true`,
	},
	"what is dragged as data": {
		`<div id=source draggable=true>Source</div><div id=goal style="height: 60px">Goal</div>`,
		`source.ondragstart = e => e.dataTransfer.setData("text/plain", "cargo"); goal.ondragover = e => e.preventDefault(); goal.ondrop = e => { goal.textContent = e.dataTransfer.getData("text/plain") }`,
		"browser_drag", arguments{"selector": "#source", "to_selector": "#goal"}, `goal.textContent`, `"cargo"`,
	},
}

// On a phone, a page that hears only fingers did nothing on a click, which was reported as done.
func TestActionsAreThoseOfAFingerOnATouchScreen(t *testing.T) {
	t.Parallel()
	u := newBench(t, common.Address(t), host.Options{}).newUser(t, host.TaskOptions{})
	u.Handle("/touched", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		_, _ = w.Write([]byte(`<!doctype html><button ontouchend="event.preventDefault(); parent.postMessage('touched', '*')">Framed</button>`))
	})
	u.good("browser_emulate", arguments{"device": "Pixel 7"})
	for name, c := range touched {
		u.body(c.body, c.script)
		u.good(c.tool, c.a)
		is(t, name, u.value(c.is), c.wanted)
	}
	u.body(`<a href="/after">Leave</a>`, "")
	want(t, u.good("browser_click", arguments{"text": "Leave"}), "navigated", `"`+u.Expand("{{localhost}}/after")+`"`)
	u.good("browser_emulate", arguments{"reset": true})
	u.body(`<button id=b>Press</button>`, `b.onclick = e => { b.textContent = e.pointerType }`)
	u.good("browser_click", arguments{"selector": "#b"})
	want(t, u.good("browser_evaluate", arguments{"expression": "b.textContent"}), "result", `"mouse"`)
}
