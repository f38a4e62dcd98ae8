package agents

import (
	"strings"
	"testing"

	"github.com/hermes-cdp/hermes-cdp/host"
)

// The semantics that a custom element gives itself by its ElementInternals are in the accessibility tree only.
func TestCustomElementsHaveTheRolesThatTheirScriptsGiveThem(t *testing.T) {
	t.Parallel()
	u := newBench(t, common.Address(t), host.Options{}).newUser(t, host.TaskOptions{})
	u.body(`<h1>Size</h1><x-plain tabindex=0>Plain</x-plain><ul><li><p>in a list</ul>`,
		`customElements.get("x-plain") ?? customElements.define("x-plain", class extends HTMLElement {}); 0`)
	if r := u.good("browser_snapshot", nil); !strings.Contains(r.Text, `generic @`) {
		t.Errorf("without semantics: %s", r.Text)
	}
	u.value(`customElements.define("x-radio", class extends HTMLElement {
		constructor() {
			super();
			this.internals = this.attachInternals();
			this.internals.role = "radio";
			this.internals.ariaChecked = "false";
			this.addEventListener("click", () => { this.internals.ariaChecked = "true" });
		}
		connectedCallback() { this.tabIndex = 0 }
	}), document.body.insertAdjacentHTML("beforeend", "<x-radio aria-label=Small></x-radio><x-radio aria-label=Large></x-radio><style>x-radio { display: inline-block; width: 20px; height: 20px }</style>")`)
	r := u.good("browser_snapshot", nil)
	for _, line := range []string{`- heading "Size" [level=1]`, `- radio "Small" [not checked] @`, `- radio "Large" [not checked] @`} {
		if !strings.Contains(r.Text, line) {
			t.Errorf("there is no %s: %s", line, r.Text)
		}
	}
	u.good("browser_check", arguments{"role": "radio", "name": "Large"})
	if r := u.good("browser_find", arguments{"role": "radio"}); !strings.Contains(r.Text, `radio "Large" [checked`) || !strings.Contains(r.Text, `radio "Small" [not checked]`) {
		t.Error(r.Text)
	}
	u.bad("browser_check", arguments{"selector": "x-plain"}, "not_actionable", "not a checkbox")
}

// Libraries put the label of a control around a slot, and a larger place to touch over a button's text.
func TestWhatAComponentHasAroundItsTextIsActedOn(t *testing.T) {
	t.Parallel()
	u := newBench(t, common.Address(t), host.Options{}).newUser(t, host.TaskOptions{})
	u.body(`<x-box id=box>Agree</x-box><p><button id=chip style="position:relative"><span>Chip</span><i style="position:absolute;inset:-10px"></i></button></p>
		<p id=row role=option tabindex=0 style="position:relative"><span>Row</span><button id=drop style="position:absolute;inset:0;opacity:0">Drop</button></p>
		<main role=main tabindex=-1 style="position:relative"><span>Main</span><div id=panel style="position:absolute;inset:0"></div></main>`,
		`globalThis.log = []; addEventListener("click", e => log.push(e.target.id));
		box.attachShadow({mode: "open"}).innerHTML = "<label><input type=checkbox style='position:absolute;opacity:0'><b>✓</b> <slot></slot></label>"; 0`)
	u.good("browser_check", arguments{"text": "Agree"})
	is(t, "the box", u.value(`box.shadowRoot.querySelector("input").checked`), "true")
	u.good("browser_click", arguments{"text": "Chip"})
	is(t, "what was clicked last", u.value("log.at(-1) || 'a part of it'"), `"a part of it"`)
	u.inVain("browser_click", arguments{"text": "Row"}, "not_actionable", "covered", `button "Drop"`)
	u.inVain("browser_click", arguments{"text": "Main"}, "not_actionable", "covered", "#panel")
}
