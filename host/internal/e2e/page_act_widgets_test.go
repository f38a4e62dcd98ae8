package e2e

import (
	"strconv"
	"testing"

	"github.com/hermes-cdp/hermes-cdp/host"
)

// widgetPages have controls as component libraries make them: the native one cannot be seen or hit.
var widgetPages = map[string]string{
	"/labels": `<style>.gone { position: absolute; width: 1px; height: 1px; overflow: hidden; clip: rect(0 0 0 0); clip-path: inset(50%) } .none { position: absolute; width: 0; height: 0; margin: 0; opacity: 0; appearance: none; border: 0; padding: 0 }</style>
<label><input type=checkbox id=box class=gone><span>Remember me</span></label>
<input type=radio name=r id=one class=none checked><label for=one>One</label><input type=radio name=r id=two class=none><label for=two>Two</label>
<label style="display: block"><input type=file id=file class=gone><span>Choose a file</span></label>`,
	// As Bootstrap hides the native controls of a group of buttons: they keep their size.
	"/group": `<style>input { position: absolute; clip: rect(0, 0, 0, 0); pointer-events: none } label { display: inline-block; padding: 10px; border: 1px solid; margin-left: -1px; position: relative }</style>
<div style="display:inline-flex"><input type=radio name=g id=left><label for=left>Left</label><input type=radio name=g id=right><label for=right>Right</label></div>`,
	"/key": `<style>.none { position: absolute; width: 0; height: 0; margin: 0; appearance: none; border: 0; padding: 0 }</style>
<span><input type=checkbox id=box class=none aria-label=Box><i>painted</i></span>`,
	"/editor": `<div style="position: relative; width: 300px; height: 100px; border: 1px solid"><div id=editor role=textbox tabindex=0 aria-label=Editor style="position: absolute; width: 0; height: 0"></div><pre id=lines></pre></div><script>
const context = new EditContext();
editor.editContext = context;
context.addEventListener("textupdate", () => { lines.textContent = context.text });
</script>`,
	// Lists whose field cannot be typed into listen for clicks on what is drawn, or on the field by its label.
	"/list": `<style>.none { position: absolute; width: 100px; height: 1px; padding: 0; border: 0; opacity: 0; pointer-events: none; left: 0; top: 0 }</style>
<div id=box style="position: relative; height: 36px; border: 1px solid"><div style="height: 0"><input id=inBox readonly class=none></div><svg width=20 height=20></svg></div>
<label for=labelled id=label>Languages</label><div style="position: relative; height: 36px"><div style="height: 0"><input id=labelled readonly class=none></div><button>Remove Go</button></div>
<script>addEventListener("click", e => { globalThis.hits = (globalThis.hits ?? "") + (e.target.id || e.target.localName) + " " })</script>`,
	// As Vuetify's selects: the field shows the value and lets the pointer through to what listens. What is disabled as a
	// whole is not clicked for it.
	"/through": `<div id=box style="width: 200px; padding: 5px; border: 1px solid"><select hidden></select><input id=field role=combobox aria-label=State style="pointer-events: none"></div>
<div id=float style="position: relative; width: 200px"><input id=game role=combobox><span style="position: absolute; left: 5px; top: 2px; pointer-events: none" id=floating>Game</span></div>
<div id=pointed tabindex=0 style="cursor: pointer"><p style="pointer-events: none"><span id=hint>Please select</span></p></div><div><span id=page style="pointer-events: none">Previous</span></div>
<div id=form><div style="pointer-events: none"><input id=off aria-label=Off></div></div><script>box.onmousedown = pointed.onclick = () => { globalThis.hit = "yes" }</script>`,
	// Cards with a link that is stretched over all that is in them, as Bootstrap and Tailwind make them, and one without.
	"/card": `<style>.card { position: relative; border: 1px solid; padding: 9px } .all::after { position: absolute; inset: 0; content: "" } .inset { position: absolute; inset: 0 }</style>
<div class=card><div><h3 id=title>Title</h3></div><a href="#one" class=all>More</a></div><div class=card><p id=text>Text</p><a href="#two" class=inset aria-label=Open></a></div>
<div class=card><p id=under>Under</p><div class=inset><a href="#three">Three</a></div></div>`,
	"/placeholder": `<div style="position: relative; width: 200px"><input id=field aria-label=City style="width: 190px"><div style="position: absolute; inset: 0">Choose a city</div></div>
<script>document.querySelector("div").onclick = () => field.focus()</script>`,
	// As the paginator of Angular Material: a target for fingers lies over a small field, beside its wrappers.
	"/touch": `<div style="position: relative; width: 200px"><div><div><div><div><div id=field role=combobox aria-label=Rows tabindex=0>10</div></div></div></div></div><i id=cover style="position: absolute; inset: -5px; cursor: pointer"></i></div>
<script>cover.onclick = () => { globalThis.hit = "yes" }</script>`,
	"/terms":    `<label style="position: relative; padding: 9px"><input type=checkbox id=box style="position: absolute; inset: 0; width: 100%; height: 100%; opacity: 0; margin: 0"><i id=agree>I agree to the</i> <a id=terms href="#terms">terms</a></label>`,
	"/circle":   `<label for=b><input id=a></label><label for=a><input id=b></label><div style="position: fixed; inset: 0"></div>`,
	"/icon":     `<div style="position: relative; width: 60px"><input id=field aria-label=Code style="width: 60px"><i style="position: absolute; left: 20px; top: 0; width: 24px; height: 24px; cursor: pointer"></i></div>`,
	"/backdrop": `<div><input id=field aria-label=City><div style="position: fixed; inset: 0; cursor: pointer"></div></div>`,
	"/thumb": `<div style="position: relative; width: 200px; height: 30px"><input type=range id=field min=0 max=100 value=0 style="width: 100%; height: 100%; margin: 0"><span style="position: absolute; left: 90px; top: 0; width: 20px; height: 30px; background: blue"></span></div>
<script>document.querySelector("div").onclick = () => { field.dataset.hit = "yes" }</script>`,
	// As React Aria's sliders: the field is of full size in a box that is cut to a point, below what is drawn for it.
	"/unseen": `<div style="position: relative; width: 200px; height: 30px"><span style="position: absolute; left: 90px"><i style="position: absolute; clip: rect(0 0 0 0); width: 1px; height: 1px; overflow: hidden">
<input type=range id=level min=0 max=100 value=30></i></span></div><div style="position: fixed; inset: 0; background: silver"><button>Reset</button></div>`,
	// As tldraw: what is drawn lets the pointer through to a background beside it.
	"/drawing": `<style>#stage { position: relative; width: 200px; height: 100px } #stage * { position: absolute; inset: 0; width: 100%; height: 100% }</style>
<div id=stage><div></div><canvas id=drawing style="pointer-events: none"></canvas></div><script>stage.onclick = () => { globalThis.hit = "yes" }</script>`,
	"/busy": `<div style="position: relative; width: 200px"><input id=field aria-label=City style="width: 190px"><div id=busy style="position: absolute; inset: 0"></div></div>`,
	"/slot": `<fancy-button id=host>Press <b>me</b></fancy-button><script>
customElements.define("fancy-button", class extends HTMLElement {
	constructor() { super(); this.attachShadow({mode: "open"}).innerHTML = "<button id=inner><span><slot></slot></span></button>"; this.shadowRoot.querySelector("button").onclick = () => { globalThis.hit = "yes" } }
})</script>`,
	// As the buttons of Ionic's segments: the component takes the pointer for the one button in it. Of two, neither is it.
	"/segment": `<one-button id=one>One</one-button><two-buttons id=two>Two</two-buttons><script>
for (const [name, more] of [["one-button", ""], ["two-buttons", "<button>More</button>"]]) customElements.define(name, class extends HTMLElement {
	constructor() {
		super();
		this.attachShadow({mode: "open"}).innerHTML = "<style>:host { display: inline-block; width: 200px } * { pointer-events: none }</style><button id=" + this.id + "><slot></slot></button>" + more;
		this.onclick = () => { globalThis.hit = this.id };
	}
})</script>`,
}

func TestControlsThatCannotBeSeenAreActedOnByWhatStandsForThem(t *testing.T) {
	w := newWorld(t, widgetPages, host.TaskOptions{})
	at := func(id string) host.Locator { return host.BySelector("#" + id) }
	button := func(name string) host.Locator { return host.Locator{Role: "button", Name: name} }
	for _, tc := range []struct {
		path, expression, want string
		act                    func() error
	}{
		{"/labels", "box.checked", "true", func() error { _, err := w.Tab("").Check(w.unhurried(), at("box"), true, nil); return err }},
		{"/labels", "box.checked", "true", func() error { _, err := w.Tab("").Click(w.unhurried(), at("box"), nil); return err }},
		{"/labels", "two.checked", "true", func() error { _, err := w.Tab("").Check(w.unhurried(), at("two"), true, nil); return err }},
		{"/group", "left.checked", "true", func() error { _, err := w.Tab("").Check(w.unhurried(), at("left"), true, nil); return err }},
		{"/group", "right.checked", "true", func() error { _, err := w.Tab("").Check(w.unhurried(), at("right"), true, nil); return err }},
		{"/group", "right.checked", "true", func() error {
			_, err := w.Tab("").Check(w.unhurried(), host.ByText("Right"), true, nil)
			return err
		}},
		{"/key", "box.checked", "true", func() error { _, err := w.Tab("").Check(w.unhurried(), at("box"), true, nil); return err }},
		{"/key", "box.checked", "true", func() error { _, err := w.Tab("").Click(w.unhurried(), at("box"), nil); return err }},
		{"/labels", "file.files.length", "1", func() error {
			_, err := w.Tab("").Upload(w.unhurried(), at("file"), []string{"page_act_widgets_test.go"}, nil)
			return err
		}},
		{"/editor", "lines.textContent", `"some text"`, func() error { _, err := w.Tab("").Type(w.unhurried(), at("editor"), "some text", nil); return err }},
		{"/editor", "document.activeElement.id", `"editor"`, func() error { _, err := w.Tab("").Click(w.unhurried(), at("editor"), nil); return err }},
		{"/list", "hits", `"box "`, func() error { _, err := w.Tab("").Click(w.unhurried(), at("inBox"), nil); return err }},
		{"/list", "hits", `"label labelled "`, func() error { _, err := w.Tab("").Click(w.unhurried(), at("labelled"), nil); return err }},
		{"/through", "hit", `"yes"`, func() error { _, err := w.Tab("").Click(w.unhurried(), at("field"), nil); return err }},
		{"/card", "location.hash", `"#one"`, func() error { _, err := w.Tab("").Click(w.unhurried(), at("title"), nil); return err }},
		{"/card", "location.hash", `"#two"`, func() error { _, err := w.Tab("").Click(w.unhurried(), at("text"), nil); return err }},
		{"/placeholder", "field.value", `"Bonn"`, func() error { _, err := w.Tab("").Type(w.unhurried(), at("field"), "Bonn", nil); return err }},
		{"/placeholder", "document.activeElement.id", `"field"`, func() error { _, err := w.Tab("").Click(w.unhurried(), at("field"), nil); return err }},
		{"/through", "document.activeElement.id", `"game"`, func() error { _, err := w.Tab("").Click(w.unhurried(), at("floating"), nil); return err }},
		{"/through", "hit", `"yes"`, func() error { _, err := w.Tab("").Click(w.unhurried(), at("hint"), nil); return err }},
		{"/terms", "box.checked", "true", func() error { _, err := w.Tab("").Click(w.unhurried(), at("agree"), nil); return err }},
		{"/touch", "hit", `"yes"`, func() error { _, err := w.Tab("").Click(w.unhurried(), at("field"), nil); return err }},
		{"/thumb", "field.dataset.hit", `"yes"`, func() error { _, err := w.Tab("").Click(w.unhurried(), at("field"), nil); return err }},
		{"/drawing", "hit", `"yes"`, func() error { _, err := w.Tab("").Click(w.unhurried(), at("drawing"), nil); return err }},
		{"/unseen", "level.value", `"70"`, func() error { _, err := w.Tab("").Type(w.unhurried(), at("level"), "70", nil); return err }},
		{"/slot", "hit", `"yes"`, func() error { _, err := w.Tab("").Click(w.unhurried(), at("inner"), nil); return err }},
		{"/slot", "hit", `"yes"`, func() error { _, err := w.Tab("").Click(w.unhurried(), at("host"), nil); return err }},
		{"/segment", "hit", `"one"`, func() error { _, err := w.Tab("").Click(w.unhurried(), button("One"), nil); return err }},
	} {
		w.open(tc.path)
		if err := tc.act(); err != nil {
			t.Errorf("%s %s: %v", tc.path, tc.expression, err)
			continue
		}
		want(t, tc.path, w.evaluate(tc.expression), tc.want)
	}
	w.open("/through")
	for _, id := range []string{"off", "page"} {
		wantError(t, w.inVain(at(id)), host.ErrNotActionable)
	}
	w.open("/card")
	wantError(t, w.inVain(at("under")), host.ErrNotActionable)
	w.open("/terms") // the field is over the link in its label
	wantError(t, w.inVain(at("terms")), host.ErrNotActionable)
	w.open("/drawing")
	w.evaluate("stage.firstChild.replaceWith(document.createElement('select')), 0") // which is none of the drawing
	wantError(t, w.inVain(at("drawing")), host.ErrNotActionable)
	w.open("/circle")
	wantError(t, w.inVain(at("a")), host.ErrNotActionable)
	w.open("/icon")
	wantError(t, w.inVain(at("field")), host.ErrNotActionable)
	w.open("/backdrop")
	wantError(t, w.inVain(at("field")), host.ErrNotActionable)
	w.open("/segment")
	wantError(t, w.inVain(button("Two")), host.ErrNotActionable)
	w.open("/busy")
	wantError(t, w.inVain(at("field")), host.ErrNotActionable)
}

// Pages that let something be dragged as well as clicked may listen for the release only in the frame after the press.
func TestAPressOfWhatCanBeDraggedIsHeldForAFrame(t *testing.T) {
	w := newWorld(t, map[string]string{"/page": `<div id=meeting>Meeting</div><script>
meeting.onmousedown = () => requestAnimationFrame(() => setTimeout(() => document.addEventListener("mouseup", () => report("opened"), {once: true})));
</script>`}, host.TaskOptions{})
	w.open("/page")
	if _, err := w.Tab("").Click(w.unhurried(), host.ByText("Meeting"), nil); err != nil {
		t.Fatal(err)
	}
	w.reported("opened")
}

// Pages move the caret a moment after a field has got the focus, and masks with a part of the text of their own know it
// only in a text that comes as a whole. A text that a field got otherwise is entered again.
func TestATextThatAFieldGotInAnotherOrderIsEnteredAgain(t *testing.T) {
	w := newWorld(t, map[string]string{"/page": `<input id=late><input id=part oninput="if (event.data?.length === 1) value = '+7' + value.replace(/^\+7/, '').replace(/\D/g, '').slice(0, 4)">
<input id=tags><input id=capped oninput="if (value > 100) value = 100"><script>
let keys = 0, made = 0;
late.oninput = () => { if (++keys === 3) setTimeout(() => late.setSelectionRange(0, 0)) };
tags.oninput = () => { if (tags.value.endsWith(",")) { tags.value = ""; made++ } };
</script>`}, host.TaskOptions{})
	w.open("/page")
	for field, c := range map[string]struct{ text, has string }{
		"late": {"12-345678", "12-345678"}, "part": {"+7 9161", "+7 9161"}, "tags": {"red,", ""}, "capped": {"250", "100"},
	} {
		if _, err := w.Tab("").Type(w.unhurried(), host.BySelector("#"+field), c.text, &host.TypeOptions{Clear: true}); err != nil {
			t.Errorf("%s: %v", field, err)
		}
		want(t, field, w.evaluate(field+".value"), strconv.Quote(c.has))
	}
	want(t, "the tags", w.evaluate("made"), "1")
}
