package e2e

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/hermes-cdp/hermes-cdp/host"
)

// ownLists are lists that pages draw themselves, in the ways of libraries: the list is there only while it is open, at
// the end of the document, and is drawn again as it opens.
const ownLists = `<style>[role=listbox], [role=menu] { border: 1px solid; width: 200px } .wide { width: 500px; height: 40px }</style>
<button id=button aria-haspopup=listbox aria-expanded=false aria-label=Animal>Choose</button>
<input id=field role=combobox aria-expanded=false aria-label=Fruit>
<div id=wrapper role=combobox aria-expanded=false aria-label=City class=wide><input id=inner></div>
<div id=many role=combobox tabindex=0 aria-expanded=false aria-label=Colours>Colours</div>
<input id=keyed role=combobox aria-expanded=false aria-label=Cloth>
<div id=closing role=combobox tabindex=0 aria-expanded=false aria-label=Guests>Guests</div>
<div id=box role=listbox aria-label=Box><div role=option aria-selected=false>Left</div><div role=option aria-selected=false aria-disabled=true>Right</div></div>
<div id=silent role=combobox tabindex=0 aria-expanded=false aria-label=Silent>Silent</div><p id=out></p><script>
const out = document.getElementById("out"), picked = {};
function list(owner, labels, several, opens) {
	let popup = null;
	const show = on => {
		popup?.remove(); popup = null;
		owner.setAttribute("aria-expanded", on);
		owner[on ? "setAttribute" : "removeAttribute"]("aria-controls", owner.id + "-list");
		if (!on) return;
		popup = document.createElement("div");
		popup.id = owner.id + "-list"; popup.role = several === "menu" ? "menu" : "listbox";
		if (several && several !== "menu") popup.ariaMultiSelectable = "true";
		const draw = () => { popup?.replaceChildren(...labels.map(label => {
			const o = document.createElement("div"), is = (picked[owner.id] ?? []).includes(label);
			o.role = several === "menu" ? "menuitemcheckbox" : "option"; o.dataset.value = label[0]; o.textContent = label;
			o.setAttribute(several === "menu" ? "aria-checked" : "aria-selected", is);
			o.onclick = () => {
				const now = picked[owner.id] ?? [];
				picked[owner.id] = !several ? [label] : is ? now.filter(l => l !== label) : [...now, label];
				if (several === "closing") owner.ariaExpanded = false, popup.style.pointerEvents = "none", setTimeout(() => { popup.style.display = "none" }, 300); // it keeps its options
				else several ? draw() : show(false);
			};
			return o;
		})) };
		draw();
		document.body.append(popup);
		requestAnimationFrame(() => requestAnimationFrame(draw));
	};
	opens(() => show(popup?.style.display !== ""));
}
const clicked = e => open => { e.onclick = open };
list(button, ["Cat", "Dog", "Eagle"], false, clicked(button));
list(field, ["Apple", "Pear"], false, open => { field.onkeydown = e => { if (e.key === "ArrowDown") open() } });
list(keyed, ["Cotton", "Silk"], false, open => { keyed.onkeydown = e => { if (e.key === "ArrowDown") e.altKey ? open() : picked.keyed = ["Cotton"] } });
list(closing, ["Ann", "Ben", "Cid"], "closing", clicked(closing));
list(wrapper, ["Oslo", "Rome"], false, clicked(inner));
list(many, ["Red", "Green", "Blue"], true, clicked(many));
for (const o of box.children) o.onclick = () => { for (const other of box.children) other.ariaSelected = String(other === o) };
</script>`

// componentLists are such lists as components, as UI5 has them: the options are slotted into a list, and each draws
// itself in its own shadow root. Those of the second have boxes, after each of which the list closes, and those of the
// third have boxes that are only drawn.
const componentLists = `<my-list id=sizes><my-option>Small</my-option><my-option>Large</my-option></my-list>
<my-list id=tags boxes><my-option boxes text=Red></my-option><my-option boxes text=Blue></my-option></my-list>
<my-list id=drawn><my-option boxes=my text=Tea></my-option><my-option boxes=my text=Rice></my-option></my-list><script>
const picked = {};
customElements.define("my-option", class extends HTMLElement {
	connectedCallback() {
		const box = this.hasAttribute("boxes") ? "<span>Not chosen,</span>" + (this.getAttribute("boxes") ? "<my-checkbox></my-checkbox>" : "<input type=checkbox>") : "";
		this.attachShadow({mode: "open"}).innerHTML = "<div role=option aria-selected=false>" + box + "<b>" + (this.getAttribute("text") ?? "<slot></slot>") + "</b></div>";
		this.shadowRoot.firstChild.onclick = e => {
			e.currentTarget.ariaSelected = "true";
			(picked[this.parentElement.id] ??= []).push(this.getAttribute("text") ?? this.textContent);
			this.parentElement.show(false);
		};
	}
});
customElements.define("my-list", class extends HTMLElement {
	connectedCallback() {
		this.attachShadow({mode: "open"}).innerHTML = "<div role=combobox tabindex=0 aria-expanded=false aria-controls=popup aria-label=" + this.id + ">Choose</div><my-popup id=popup hidden><slot></slot></my-popup>";
		this.shadowRoot.firstChild.onclick = () => this.show(true);
	}
	show(on) { this.shadowRoot.firstChild.ariaExpanded = on; this.shadowRoot.lastChild.hidden = !on }
});
customElements.define("my-popup", class extends HTMLElement {
	connectedCallback() { this.attachShadow({mode: "open"}).innerHTML = "<style>:host(:not([hidden])) { display: block }</style><div role=listbox><slot></slot></div>" }
});
</script>`

func TestListsThatAreComponentsAreSelectedFrom(t *testing.T) {
	w := newWorld(t, map[string]string{"/page": componentLists}, host.TaskOptions{})
	for id, tc := range map[string]struct {
		values []string
		note   string
	}{
		"sizes": {[]string{"Large"}, ""}, "tags": {[]string{"Red", "Blue"}, `that chose "Not chosen,Red", "Not chosen,Blue"`},
		"drawn": {[]string{"Tea", "Rice"}, `that chose "Not chosen,Tea", "Not chosen,Rice"`},
	} {
		w.open("/page")
		r, err := w.Tab("").Select(w.unhurried(), host.Locator{Role: "combobox", Name: id}, tc.values, nil)
		if err != nil || !slices.Equal(r.Selected, tc.values) || r.Note != tc.note {
			t.Errorf("%s: %+v, %v", id, r, err)
		}
		want(t, id, w.evaluate("picked."+id+".join()"), `"`+strings.Join(tc.values, ",")+`"`)
	}
	_, err := w.Tab("").Select(w.unhurried(), host.Locator{Role: "combobox", Name: "sizes"}, []string{"Huge"}, nil)
	var missing *host.OptionError
	if !errors.As(err, &missing) || !slices.Equal(missing.Options, []string{"Small", "Large"}) {
		t.Errorf("an option that is not there: %v", err)
	}
}

func TestListsOfThePagesOwnAreSelectedFrom(t *testing.T) {
	w := newWorld(t, map[string]string{"/page": ownLists, "/menu": strings.Replace(ownLists, `"Blue"], true`, `"Blue"], "menu"`, 1)}, host.TaskOptions{})
	at := func(name string) host.Locator { return host.BySelector("#" + name) }
	for _, tc := range []struct {
		path, id string
		values   []string
		picked   string // as JSON
		note     string
	}{
		{"/page", "button", []string{"Dog"}, `["Dog"]`, ""},
		{"/page", "button", []string{"eagle"}, `["Eagle"]`, ""},
		{"/page", "button", []string{"C"}, `["Cat"]`, `that chose "Cat"`}, // by its value
		{"/page", "field", []string{"Pear"}, `["Pear"]`, ""},
		{"/page", "wrapper", []string{"Rome"}, `["Rome"]`, ""},
		{"/page", "many", []string{"Red", "Blue"}, `["Red","Blue"]`, "its list is still open"},
		{"/page", "keyed", []string{"Silk"}, `["Silk"]`, ""}, // by the key that chooses nothing
		{"/page", "closing", []string{"Ann", "Cid"}, `["Ann","Cid"]`, ""},
		{"/menu", "many", []string{"Red", "Blue"}, `["Red","Blue"]`, "its list is still open"},
	} {
		w.open(tc.path)
		r, err := w.Tab("").Select(w.unhurried(), at(tc.id), tc.values, nil)
		if err != nil || !slices.Equal(r.Selected, tc.values) || !strings.Contains(r.Note, tc.note) || tc.note == "" && r.Note != "" {
			t.Errorf("%s %v: %+v, %v", tc.id, tc.values, r, err)
		}
		want(t, tc.id, w.evaluate("picked."+tc.id), tc.picked)
	}
	// What is chosen of several stays so.
	if _, err := w.Tab("").Select(w.unhurried(), at("many"), []string{"Red", "Green"}, nil); err != nil {
		t.Error(err)
	}
	want(t, "then", w.evaluate("picked.many"), `["Red","Blue","Green"]`)

	w.open("/page")
	if r, err := w.Tab("").Select(w.unhurried(), at("box"), []string{"Left"}, nil); err != nil || r.Note != "" {
		t.Errorf("box: %+v, %v", r, err)
	}
	want(t, "box", w.evaluate("box.firstChild.ariaSelected"), `"true"`)

	_, err := w.Tab("").Select(w.unhurried(), at("button"), []string{"Horse"}, nil)
	var missing *host.OptionError
	if !errors.As(err, &missing) || !slices.Equal(missing.Missing, []string{"Horse"}) || !slices.Equal(missing.Options, []string{"Cat", "Dog", "Eagle"}) {
		t.Errorf("an option that is not there: %v", err)
	}
	if r, err := w.Tab("").Select(w.unhurried(), at("button"), []string{"Cat"}, nil); err != nil { // the list is open
		t.Errorf("after that: %+v, %v", r, err)
	}
	var not *host.NotActionableError
	_, err = w.Tab("").Select(w.unhurried(), at("button"), []string{"Dog", "Eagle"}, nil)
	if !errors.As(err, &not) || !strings.Contains(err.Error(), `a list of one option, of which "Dog" is chosen now`) {
		t.Errorf("two of one: %v", err)
	}
	if _, err = w.Tab("").Select(w.unhurried(), at("button"), nil, nil); !errors.As(err, &not) {
		t.Errorf("none of one: %v", err)
	}
	_, err = w.Tab("").Select(w.unhurried(), at("silent"), []string{"x"}, nil)
	if !errors.As(err, &not) || !strings.Contains(err.Error(), "shows no options when it is clicked") {
		t.Errorf("a list that does not open: %v", err)
	}
	err = nil // a busy machine takes longer to say why
	for limit := 4 * time.Second; !errors.Is(err, host.ErrNotActionable) && limit < time.Minute; limit *= 3 {
		_, err = w.Tab("").Select(within(t, w.ctx, limit), at("box"), []string{"Right"}, nil)
	}
	if !errors.As(err, &not) || not.Obstacle != host.ObstacleDisabled {
		t.Errorf("a disabled option: %v", err)
	}
}
