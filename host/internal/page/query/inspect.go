package query

import "github.com/hermes-cdp/hermes-cdp/host/internal/page"

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
func Inspect(d page.Actor, n page.Element, what, name string, limit int) (i Inspection, err error) {
	err = d.Run(n.Frame, n.ID, inspect, []any{what, name, limit}, &i)
	return i, err
}
