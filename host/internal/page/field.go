package page

import (
	"fmt"
	"strings"
)

// fieldKind tells what kind of text a field takes: "text", "set" for a value as a whole, "read-only", or "" for none.
const fieldKind = `(e) => {
	const kind = e.localName === "input" ? e.type : e.localName;
	if (["checkbox", "radio", "file", "button", "submit", "reset", "image", "hidden", "select", "a"].includes(kind)) return "";
	if (["input", "textarea"].includes(e.localName)) {
		if (e.readOnly) return "read-only";
		return ["date", "time", "month", "week", "datetime-local", "color", "range"].includes(kind) ? "set" : "text";
	}
	if (e.isContentEditable || e.tabIndex >= 0) return "text";
	const field = (e.shadowRoot ?? e).querySelector("input, textarea, [contenteditable]");
	return field ? "text" : "";
}`

// focusField gives a field the focus, unless it has it, and puts the caret at its end; with clear it selects what the field
// holds, and tells whether that is anything.
const focusField = `(e, clear) => {
	const own = e.getRootNode().activeElement;
	if (own !== e && !e.contains(own)) e.focus({preventScroll: true});
	if (["input", "textarea"].includes(e.localName)) {
		if (clear) e.select();
		else try { e.setSelectionRange(e.value.length, e.value.length) } catch { /* of a kind without a caret */ }
		return clear && e.value !== "";
	}
	if (!e.isContentEditable) return false;
	const range = document.createRange();
	range.selectNodeContents(e);
	if (!clear) range.collapse(false);
	getSelection().removeAllRanges();
	getSelection().addRange(range);
	return clear && e.textContent !== "";
}`

// setField gives a field its value as a whole, as the browser's own picker does. It gives the value that the field has then.
const setField = `(e, value) => {
	Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value").set.call(e, value);
	e.dispatchEvent(new Event("input", {bubbles: true, composed: true}));
	e.dispatchEvent(new Event("change", {bubbles: true}));
	return e.value;
}`

// Writable tells whether text can be typed into an element, or its value only be set as a whole. Its error is a
// [*NotActionableError] for what takes none.
func Writable(d Actor, n Element) (whole bool, err error) {
	var kind string
	if err := d.Run(n.Frame, n.ID, fieldKind, nil, &kind); err != nil {
		return false, err
	}
	switch kind {
	case "":
		return false, unfitError(d, n, "no field for text: use click, check, select or upload")
	case "read-only":
		return false, notActionable(d, n, ReadOnly, "")
	}
	return kind == "set", nil
}

// focusAndListen is focusField, and makes the document listen for what is typed.
const focusAndListen = `(e, clear, id, signs) => {
	(` + listen + `)(e, id, signs);
	return (` + focusField + `)(e, clear);
}`

// Fill types a text into a field that was clicked, by what was aimed then; with clear it takes the place of what was there.
func Fill(d Actor, n Element, clicked *Aim, text string, clear bool) error {
	typed := clicked.forInput(signsOf(text))
	var selected bool
	if err := typed.focus(d, n, clear, &selected); err != nil {
		return err
	}
	switch {
	case text != "":
		return typed.Strike(d, func(Point) error { return Write(d, text) }) // over what is selected
	case selected:
		return typed.Strike(d, func(Point) error { return typeKey(d, namedKeys["Delete"], 0) })
	}
	return nil
}

// focus gives a field the focus, and makes its frame listen, or the one that the field shows.
func (a *Aim) focus(d Actor, n Element, clear bool, selected *bool) error {
	if a.node == n {
		return d.Run(n.Frame, n.ID, focusAndListen, []any{clear, a.id, a.signs}, selected)
	}
	if err := d.Run(n.Frame, n.ID, focusField, []any{clear}, selected); err != nil || a.unverifiable {
		return err
	}
	return a.listen(d)
}

// Set gives a field its value as a whole: a date, a time, a colour or a number on a range.
func Set(d Actor, n Element, text string) error {
	var has string
	if err := d.Run(n.Frame, n.ID, setField, []any{text}, &has); err != nil {
		return err
	}
	if has == "" && text != "" {
		return unfitError(d, n, "a field that does not take this value: dates are 2006-01-02, times 15:04, months 2006-01, weeks 2006-W01, "+
			"both 2006-01-02T15:04, colours #aabbcc")
	}
	return nil
}

// unfit says in our own words what an element is, or is not.
func unfitError(d Actor, n Element, what string) error {
	name, err := Name(d, n)
	if err != nil {
		return err
	}
	return &NotActionableError{Obstacle: Unfit, Element: name, By: what}
}

// Focus gives an element the focus without a click.
func Focus(d Actor, n Element) error {
	if err := scrollTo(d, n); err != nil {
		return err
	}
	return d.Run(n.Frame, n.ID, focus, nil, nil)
}

const focus = "(e) => { e.focus({preventScroll: true}); return null }"

// choose selects the options with these values, else labels, and gives what is selected then. Without a match for one of
// them it changes nothing, and gives the options.
const choose = `(e, wanted) => {
	if (e.localName === "option") e = e.closest("select");
	if (!e || e.localName !== "select") return {unfit: "no select"};
	const text = o => o.label.trim().replace(/\s+/g, " ");
	const hits = wanted.map(w => [...e.options].find(o => o.value === w) ?? [...e.options].find(o => text(o) === w.trim()));
	const missing = wanted.filter((w, i) => !hits[i]);
	if (missing.length) return {missing, options: [...e.options].slice(0, 50).map(text)};
	if (hits.some(o => o.disabled || o.parentElement.disabled)) return {unfit: "a select in which that option is disabled"};
	if (!e.multiple && hits.length !== 1) return {unfit: "a select of exactly one option"};
	const before = [...e.selectedOptions];
	if (e.multiple) for (const o of e.options) o.selected = hits.includes(o);
	else hits[0].selected = true;
	const now = [...e.selectedOptions];
	if (before.length !== now.length || before.some((o, i) => o !== now[i])) {
		e.dispatchEvent(new Event("input", {bubbles: true, composed: true}));
		e.dispatchEvent(new Event("change", {bubbles: true}));
	}
	if (hits.some(o => o.isConnected && !o.selected)) return {unfit: "a select whose page took the selection back"};
	return {selected: [...e.selectedOptions].map(o => o.value)};
}`

// OptionError says that a select has no option of a value or label. Its texts are the page's.
type OptionError struct{ Missing, Options []string }

// Error names what there is, quoted and escaped.
func (e *OptionError) Error() string {
	return fmt.Sprintf("the select has no option %s; it has %s", quoteAll(e.Missing), quoteAll(e.Options))
}

// Unwrap gives [ErrNotActionable].
func (e *OptionError) Unwrap() error { return ErrNotActionable }

func quoteAll(texts []string) string {
	quoted := make([]string, len(texts))
	for i, text := range texts {
		quoted[i], _ = clip(text, maxDescribed)
	}
	return strings.Join(quoted, ", ")
}

// Select selects options of a select by their values or labels, and gives the values that are selected then. The list that a
// browser shows for it is no part of the page, so no pointer is used.
func Select(d Actor, n Element, wanted []string) ([]string, error) {
	var r struct{ Unfit, Missing, Options, Selected any }
	if err := d.Run(n.Frame, n.ID, choose, []any{append([]string{}, wanted...)}, &r); err != nil {
		return nil, err
	}
	if why, ok := r.Unfit.(string); ok {
		return nil, unfitError(d, n, why)
	}
	if r.Missing != nil {
		return nil, &OptionError{stringsOf(r.Missing), stringsOf(r.Options)}
	}
	return stringsOf(r.Selected), nil
}

func stringsOf(v any) []string {
	list, _ := v.([]any)
	out := make([]string, len(list))
	for i, e := range list {
		out[i], _ = e.(string)
	}
	return out
}

// isChecked gives whether a box, radio button, switch or its label is checked: true, false, or null for what is none.
const isChecked = `(e) => {
	if (e.localName === "label" && e.control) e = e.control;
	if (e.localName === "input" && ["checkbox", "radio"].includes(e.type)) return e.checked;
	const aria = e.getAttribute("aria-checked") ?? e.getAttribute("aria-pressed");
	return aria === null ? null : aria === "true";
}`

// Checked tells whether an element is checked. Its error is a [*NotActionableError] for what can not be.
func Checked(d Actor, n Element) (bool, error) {
	var on *bool
	if err := d.Run(n.Frame, n.ID, isChecked, nil, &on); err != nil {
		return false, err
	}
	if on == nil {
		return false, unfitError(d, n, "no checkbox, radio button or switch")
	}
	return *on, nil
}
