package page

import (
	"errors"
	"slices"

	"github.com/chromedp/cdproto/dom"
)

// inspect says one thing of an element. What it copies is put into a document that runs nothing. Passwords are not
// told, as in readings.
const inspect = `(e, what, name, limit) => {
	const secret = n => n.localName === "input" && n.type === "password", masked = text => "•".repeat(text.length);
	switch (what) {
	case "html": {
		const copy = document.implementation.createHTMLDocument("").importNode(e, true);
		for (const n of [copy, ...copy.querySelectorAll("input")]) if (secret(n) && n.hasAttribute("value")) n.setAttribute("value", masked(n.getAttribute("value")));
		const html = copy.outerHTML;
		return {text: html.slice(0, limit), chars: html.length};
	}
	case "value": {
		const value = e.isContentEditable ? e.innerText : typeof e.value === "string" || typeof e.value === "number" ? String(e.value) : null;
		return value === null ? {none: true} : {text: secret(e) ? masked(value) : value.slice(0, limit), chars: value.length};
	}
	case "attribute": {
		const value = e.getAttribute(name);
		return value === null ? {none: true} : {text: secret(e) && name.toLowerCase() === "value" ? masked(value) : value.slice(0, limit), chars: value.length};
	}
	case "style": {
		const style = getComputedStyle(e);
		const names = name ? [name] : ["display", "visibility", "opacity", "position", "z-index", "overflow", "color", "background-color", "font-size", "font-weight", "cursor", "pointer-events"];
		return {style: Object.fromEntries(names.map(n => [n, style.getPropertyValue(n)]))};
	}
	case "state": {
		const is = selector => e.matches(selector);
		const checkable = e.type === "checkbox" || e.type === "radio" || ["checkbox", "radio", "switch", "menuitemcheckbox", "menuitemradio"].includes(e.getAttribute("role"));
		const checked = e.localName === "input" ? e.checked : e.getAttribute("aria-checked") === "true";
		const blocked = (` + condition + `)(e);
		const state = {
			visible: blocked[0] !== "hidden" && blocked[0] !== "detached", enabled: !is(":disabled") && !e.closest("[inert]") && e.getAttribute("aria-disabled") !== "true",
			editable: is(":read-write"), focused: is(":focus"),
		};
		if (checkable) state.checked = checked;
		return {state};
	}
	}
}`

// Inspection is what was asked of an element.
type Inspection struct {
	None  bool              `json:"none"` // it has no such attribute, or no value
	Text  string            `json:"text"` // its HTML, value or attribute, cut at the limit
	Chars int               `json:"chars"`
	Style map[string]string `json:"style"`
	State map[string]bool   `json:"state"`
}

// Inspect says one thing of an element: its html, value, attribute, style or state; name is that of the attribute or of
// the CSS property.
func Inspect(d Actor, n Element, what, name string, limit int) (i Inspection, err error) {
	err = d.Run(n.Frame, n.ID, inspect, []any{what, name, limit}, &i)
	return i, err
}

// errNoBox says that an element is not drawn.
var errNoBox = errors.New("it has no box")

// boxInTab is the box of an element in the top frame's viewport. The DOM domain's coordinates are relative to the
// outermost frame of a session.
func boxInTab(d Driver, n Element) (rect, error) {
	var r struct {
		Model struct {
			Border quad `json:"border"`
		} `json:"model"`
	}
	path, err := framePath(d, n.Frame)
	if err == nil {
		err = d.Read(n.Frame, dom.CommandGetBoxModel, &dom.GetBoxModelParams{BackendNodeID: n.ID}, &r)
	}
	if err != nil {
		return rect{}, err
	}
	if !r.Model.Border.valid() {
		return rect{}, errNoBox
	}
	box := r.Model.Border
	for _, l := range slices.Backward(path) {
		if !l.ownSession {
			continue
		}
		if err := l.measure(d); err != nil {
			return rect{}, err
		}
		box = box.mapped(l.toParent)
	}
	return box.bounds(), nil
}

// BoxInTab is the box of an element in the tab's viewport: x, y, width and height in CSS pixels. ok is false for one
// that is not drawn.
func BoxInTab(d Actor, n Element) (box [4]float64, ok bool, err error) {
	var there bool
	if err := d.Run(n.Frame, n.ID, "e => e.getClientRects().length > 0", nil, &there); err != nil || !there {
		return box, false, err
	}
	b, err := boxInTab(d, n)
	return [4]float64{b.x, b.y, b.width, b.height}, err == nil, err
}
