package page

import (
	"errors"
	"slices"

	"github.com/chromedp/cdproto/dom"
	cdppage "github.com/chromedp/cdproto/page"

	"github.com/hermes-cdp/hermes-cdp/host/internal/page/geometry"
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
		const drawn = (` + DrawnText + `)(e);
		const value = drawn !== null ? drawn : e.isContentEditable ? e.innerText : typeof list === "string" ? list : typeof e.value === "string" || typeof e.value === "number" ? String(e.value) : null;
		return value === null ? {none: true} : said(secret(e) ? masked(value) : value);
	}
	case "attribute": {
		const value = ask(Element, "getAttribute", e, name);
		return value === null ? {none: true} : said(secret(e) && name.toLowerCase() === "value" ? masked(value) : value);
	}
	case "style": {
		const style = getComputedStyle(e);
		const names = name ? [name] : ["display", "visibility", "opacity", "position", "z-index", "overflow", "color", "background-color", "font-size", "font-weight", "cursor", "pointer-events"];
		return {style: Object.fromEntries(names.map(n => [n, style.getPropertyValue(n)]))};
	}
	case "state": {
		const is = selector => ask(Element, "matches", e, selector), says = name => ask(Element, "getAttribute", e, name);
		const checkable = e.type === "checkbox" || e.type === "radio" || ["checkbox", "radio", "switch", "menuitemcheckbox", "menuitemradio"].includes(says("role"));
		const checked = e.localName === "input" ? e.checked : says("aria-checked") === "true";
		const blocked = (` + Condition + `)(e);
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
func boxInTab(d Driver, n Element) (box, shown geometry.Rect, err error) {
	var r struct {
		Model struct {
			Border geometry.Quad `json:"border"`
		} `json:"model"`
	}
	path, err := FramePath(d, n.Frame)
	if err == nil {
		err = d.Read(n.Frame, dom.CommandGetBoxModel, &dom.GetBoxModelParams{BackendNodeID: n.ID}, &r)
	}
	if err != nil {
		return geometry.Rect{}, geometry.Rect{}, err
	}
	if !r.Model.Border.Valid() {
		return geometry.Rect{}, geometry.Rect{}, errNoBox
	}
	at := r.Model.Border
	shown = at.Bounds()
	for _, l := range slices.Backward(path[1:]) {
		err := l.Measure(d)
		switch {
		case l.OwnSession && err != nil:
			return geometry.Rect{}, geometry.Rect{}, err
		case l.OwnSession:
			at, shown = at.Mapped(l.ToParent), shown.Quad().Mapped(l.ToParent).Bounds()
		case errors.Is(err, geometry.ErrQuad): // a frame without a size, which shows nothing
			shown = geometry.Rect{}
			continue
		case err != nil:
			return geometry.Rect{}, geometry.Rect{}, err
		}
		shown = shown.In(l.content.Bounds())
	}
	return at.Bounds(), shown, nil
}

// BoxInTab is the box of an element in the tab's viewport: x, y, width and height in CSS pixels. inView says that the
// viewports of the tab and of all frames around the element have a part of it, and drawn is false for one that has no
// box.
func BoxInTab(d Actor, n Element) (box [4]float64, inView, drawn bool, err error) {
	if err := d.Run(n.Frame, n.ID, `e => ask(Element, "getClientRects", e).length > 0`, nil, &drawn); err != nil || !drawn {
		return box, false, false, err
	}
	at, shown, err := boxInTab(d, n)
	if err != nil {
		return box, false, false, err
	}
	width, height, err := Viewport(d)
	return [4]float64{at.X, at.Y, at.Width, at.Height}, shown.Intersects(geometry.Size{Width: width, Height: height}), true, err
}

// Viewport returns the size of the layout viewport.
func Viewport(d Actor) (width, height float64, err error) {
	var metrics struct {
		Viewport struct {
			Width  float64 `json:"clientWidth"`
			Height float64 `json:"clientHeight"`
		} `json:"cssLayoutViewport"`
	}
	err = d.Read("", cdppage.CommandGetLayoutMetrics, nil, &metrics)
	return metrics.Viewport.Width, metrics.Viewport.Height, err
}
