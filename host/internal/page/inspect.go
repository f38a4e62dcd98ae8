package page

import (
	"errors"
	"slices"

	"github.com/chromedp/cdproto/dom"
)

// inspect says one thing of an element. What it copies is put into a document that runs nothing. Passwords are not
// told, as in readings, nor those in templates, which no search in the document finds.
const inspect = `(e, what, name, limit) => {
	const secret = n => n.localName === "input" && n.type === "password", masked = text => "•".repeat(text.length);
	const said = text => ({text: text.slice(0, limit).replace(text.length > limit ? /[\ud800-\udbff]$/ : "", ""), chars: text.length});
	const mask = root => {
		for (const n of root.querySelectorAll("input")) if (secret(n) && n.hasAttribute("value")) n.setAttribute("value", masked(n.getAttribute("value")));
		for (const n of root.querySelectorAll("template")) mask(n.content);
		return root;
	};
	switch (what) {
	case "html": {
		const all = document.implementation.createHTMLDocument("").createElement("template");
		all.content.append(all.content.ownerDocument.importNode(e, true));
		return said((mask(all.content), all.innerHTML));
	}
	case "value": {
		const list = e.localName === "select" && e.multiple && [...e.selectedOptions].map(o => o.value).join("\n");
		const drawn = (` + drawnText + `)(e);
		const value = drawn !== null ? drawn : e.isContentEditable ? e.innerText : typeof list === "string" ? list : typeof e.value === "string" || typeof e.value === "number" ? String(e.value) : null;
		return value === null ? {none: true} : said(secret(e) ? masked(value) : value);
	}
	case "attribute": {
		const value = e.getAttribute(name);
		return value === null ? {none: true} : said(secret(e) && name.toLowerCase() === "value" ? masked(value) : value);
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
			visible: blocked[0] !== "hidden" && blocked[0] !== "detached", enabled: !(` + disabledBy + `)(e),
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

// boxInTab is the box of an element in the top frame's viewport, and the part of it that the frames around it show,
// which may be without an area. The DOM domain's coordinates are relative to the outermost frame of a session.
func boxInTab(d Driver, n Element) (box, shown rect, err error) {
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
		return rect{}, rect{}, err
	}
	if !r.Model.Border.valid() {
		return rect{}, rect{}, errNoBox
	}
	at := r.Model.Border
	shown = at.bounds()
	for _, l := range slices.Backward(path[1:]) {
		err := l.measure(d)
		switch {
		case l.ownSession && err != nil:
			return rect{}, rect{}, err
		case l.ownSession:
			at, shown = at.mapped(l.toParent), shown.quad().mapped(l.toParent).bounds()
		case errors.Is(err, errQuad): // a frame without a size, which shows nothing
			shown = rect{}
			continue
		case err != nil:
			return rect{}, rect{}, err
		}
		shown = shown.in(l.content.bounds())
	}
	return at.bounds(), shown, nil
}

// BoxInTab is the box of an element in the tab's viewport: x, y, width and height in CSS pixels. inView says that the
// viewports of the tab and of all frames around the element have a part of it, and drawn is false for one that has no
// box.
func BoxInTab(d Actor, n Element) (box [4]float64, inView, drawn bool, err error) {
	if err := d.Run(n.Frame, n.ID, "e => e.getClientRects().length > 0", nil, &drawn); err != nil || !drawn {
		return box, false, false, err
	}
	at, shown, err := boxInTab(d, n)
	if err != nil {
		return box, false, false, err
	}
	width, height, err := Viewport(d)
	return [4]float64{at.x, at.y, at.width, at.height}, shown.intersects(size{width, height}), true, err
}
