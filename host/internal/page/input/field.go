package input

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/hermes-cdp/hermes-cdp/host/fault"
	"github.com/hermes-cdp/hermes-cdp/host/internal/page"
	"github.com/hermes-cdp/hermes-cdp/host/internal/page/geometry"
	"github.com/hermes-cdp/hermes-cdp/host/internal/page/query"
)

// fieldKind returns what kind of text a field takes: "text", "rich" or "drawn" in an editor, "set" for a value as a
// whole, "read-only"; or "", with the action that suits the element instead, if there is one. What can have the focus
// and is nothing else, such as a canvas, may be the page's own editor, or pass the text on to one: "keys". A third word
// says that its content is a secret.
const fieldKind = `(e) => {
	const drawn = (` + query.DrawnText + `)(e) !== null, edits = e.isContentEditable || drawn;
	const kind = e.localName === "input" ? e.type : e.localName, role = (e.getAttribute("role") ?? "").trim().split(/\s+/)[0];
	const one = (...names) => names.includes(kind) || !["input", "textarea"].includes(e.localName) && !edits && names.includes(role);
	if (one("checkbox", "radio", "switch", "menuitemcheckbox", "menuitemradio")) return ["", "check"];
	if (one("select", "listbox")) return ["", "select"];
	if (one("file")) return ["", "upload"];
	if (one("button", "submit", "reset", "image", "a", "area", "summary", "link", "tab", "option", "menuitem", "treeitem")) return ["", "click"];
	if (one("slider")) return ["", "keys"];
	if (one("hidden", "label", "img", "video", "audio", "heading", "progressbar", "dialog", "menu", "tablist")) return ["", ""];
	if (["input", "textarea"].includes(e.localName)) {
		if (e.readOnly) return ["read-only", ""];
		const whole = ["date", "time", "month", "week", "datetime-local", "color", "range"].includes(kind);
		const secret = kind === "password" || /password|one-time-code|cc-number|cc-csc/.test(e.autocomplete) || !["", "none"].includes(getComputedStyle(e).webkitTextSecurity ?? "");
		return [whole ? "set" : kind === "number" ? kind : (` + isEditors + `)(e) ? "drawn" : "text", "", secret ? "secret" : ""];
	}
	if (edits) return [drawn ? "drawn" : "rich", ""];
	return [(e.shadowRoot ?? e).querySelector("input, textarea, [contenteditable]") ? "text" : e.tabIndex >= 0 ? "keys" : "", ""];
}`

// onlyField returns the only field, as CSS, that a box shows; for what has the focus itself, and any other box, that.
const onlyField = `(e, fields) => {
	if (e.tabIndex >= 0 || e.isContentEditable || (` + query.DrawnText + `)(e) !== null || e.matches("input, textarea, button")) return e;
	const shown = [...(e.shadowRoot ?? e).querySelectorAll(fields)].filter(n => n.checkVisibility());
	return shown.length === 1 ? shown[0] : e;
}`

// swapped returns the field that a page shows beside one that it hides when that gets the focus, as where an amount is
// shown with its currency, and edited without; or else the field itself.
const swapped = `(e) => {
	const now = ask(Node, "getRootNode", e).activeElement, box = of(Node, "parentElement", e);
	if (!box || !now || now === e || ask(Element, "checkVisibility", e)) return e;
	return ["input", "textarea"].includes(of(Element, "localName", now)) && ask(Node, "contains", box, now) ? now : e;
}`

// focusField focuses a field, unless it has the focus, and puts the caret at its end. With clear it selects the content
// of the field instead, and returns whether there is any. What [placeCaret] has placed it leaves. A box around a single
// field stands for that, such as a combobox of ARIA 1.1.
const focusField = `(e, clear, placed) => {
	e = (` + onlyField + `)(e, "input:not([readonly], [type=hidden]), textarea, [contenteditable]:not([contenteditable=false])");
	const active = e.getRootNode().activeElement;
	if (active !== e && !e.contains(active)) e.focus({preventScroll: true});
	if (placed) return clear;
	if (["input", "textarea"].includes(e.localName)) {
		if (clear) e.select();
		else try { e.setSelectionRange(e.value.length, e.value.length) } catch { /* a field without a caret */ }
		return clear && e.value !== "";
	}
	const drawn = (` + query.DrawnText + `)(e);
	if (drawn !== null) {
		e.editContext.updateSelection(clear ? 0 : drawn.length, drawn.length);
		return clear && drawn !== "";
	}
	if (!e.isContentEditable) return false;
	own.replacing = clear ? {e, text: e.innerText} : null;
	const range = document.createRange();
	range.selectNodeContents(e);
	if (!clear) range.collapse(false);
	getSelection().removeAllRanges();
	getSelection().addRange(range);
	return clear && e.textContent !== "";
}`

// setField sets the value of a field as a whole, as the browser's own picker does, and returns whether it takes it. One
// that it does not take leaves the field as it was: the browser would clear it, or put in another.
const setField = `(e, value) => {
	const trial = document.createElement("input"), number = Number(value);
	trial.type = e.type;
	trial.value = value;
	const takes = {
		color: () => trial.value !== "#000000" || /^(#000|#000000|black)$/i.test(value.trim()),
		range: () => value.trim() !== "" && number >= Number(e.min || 0) && number <= Number(e.max || 100),
	};
	if (!(takes[e.type] ?? (() => trial.value !== "" || value === ""))()) return false;
	Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value").set.call(e, value);
	e.dispatchEvent(new Event("input", {bubbles: true, composed: true}));
	e.dispatchEvent(new Event("change", {bubbles: true}));
	return true;
}`

// Field is what there is to know of a field before it gets a text.
type Field struct {
	// Whole says that its value can only be set as a whole; otherwise text can be typed into it.
	Whole bool
	// Number says that it takes numbers only.
	Number bool
	// Editor says that it is more than a field of a form: a document of its own, in which the caret has a place.
	Editor bool
	// Drawn says that it is an editor that the page draws itself, and edits through an EditContext or a textarea that
	// nobody sees.
	Drawn bool
	// Keys says that nothing can be said of what it does with a text.
	Keys bool
	// Secret says that it is for a password, a code or the number of a card.
	Secret bool
}

// Writable returns what an element is that takes a text. The error is a [*NotActionableError] for any other.
func Writable(d Actor, n page.Element) (Field, error) {
	var kind [3]string
	if err := d.Run(n.Frame, n.ID, fieldKind, nil, &kind); err != nil {
		return Field{}, err
	}
	switch suits := kind[1]; {
	case kind[0] == "read-only":
		return Field{}, notActionable(d, n, ReadOnly, "")
	case kind[0] != "":
		drawn := kind[0] == "drawn"
		return Field{Whole: kind[0] == "set", Number: kind[0] == "number", Editor: drawn || kind[0] == "rich", Drawn: drawn, Keys: kind[0] == "keys", Secret: kind[2] != ""}, nil
	case suits == "keys":
		return Field{}, unfitError(d, n, "not a text field: press keys on it (ArrowRight, PageUp, Home, End), or drag its thumb")
	case slices.Contains([]string{"click", "check", "select", "upload"}, suits): // the page has no word of its own here
		return Field{}, unfitError(d, n, "not a text field: use "+suits)
	}
	return Field{}, unfitError(d, n, "not a text field: name the field itself, or click there and type without an element")
}

// The elements that a text beside them can stand for, as CSS.
const (
	TextFields = `input:not([type=checkbox], [type=radio], [type=button], [type=submit], [type=reset], [type=image], [type=file], [type=hidden]), ` +
		`textarea, [contenteditable]:not([contenteditable=false]), [role=textbox], [role=searchbox], [role=combobox], [role=spinbutton]`
	Lists    = `select, [role=listbox], [role=combobox]`
	Switches = `input:is([type=checkbox], [type=radio]), [role=checkbox], [role=radio], [role=switch], [role=menuitemcheckbox], [role=menuitemradio]`
)

// labelled is the control of a label, or of the label that an element is in, or that its shadow root has around the
// text of the element; or, where a library hides that, the one that refers to the label or stands beside it. Pages that
// have no labels put the text in the control, refer to it from there, or leave it to people to see that both stand
// together: then it is the only control in the closest box that has any. What does something of its own, such as the
// button that opens a section, stands for a control only if that is called the same.
const labelled = `(e, controls) => {
	const slots = [...of(Node, "childNodes", e)].map(n => n.assignedSlot).filter(Boolean), around = n => of(Node, "parentElement", n);
	const seen = n => n.checkVisibility({visibilityProperty: true}) && [...ask(Element, "getClientRects", n)].some(r => r.width > 1 && r.height > 1 && r.right > 0);
	const label = e.closest("label"), inner = label && !(label.control && seen(label.control)) ? [...ask(Element, "querySelectorAll", label, controls)].filter(seen) : [];
	if (inner.length === 1) return inner[0]; // the page's own, in place of the one that it hides
	const found = label?.control ?? slots.map(s => s.closest("label")?.control).find(Boolean) ?? e.closest(controls);
	const hidden = found && !found.checkVisibility() && !["checkbox", "radio", "file"].includes(found.type); // as a library replaces it
	if (found && !hidden) return controls.includes("textarea") && found.matches("[role=combobox]:not(input, textarea)") && (` + entryOf + `)(found) || found;
	for (let n = e, i = 0; n && i < 3; n = around(n), i++) {
		const id = of(Element, "id", n), refers = ":is(" + controls + ')[aria-labelledby~="' + CSS.escape(id) + '"]';
		const by = id && ask(Node, "getRootNode", n).querySelector(refers);
		if (by) return by;
	}
	if (hidden) {
		const beside = [...ask(Element, "querySelectorAll", around(found), controls)].filter(seen);
		return beside.length === 1 ? beside[0] : found;
	}
	const acts = e.closest("a[href], button, summary, [role=button], [role=link]"), text = n => of(Node, "textContent", n).trim(), said = text(e);
	const saysSo = n => ask(Element, "getAttribute", n, "aria-label") === said || [...n.labels ?? []].some(l => text(l) === said);
	for (let box = around(e), i = 0; i < 4 && box && box !== document.body; box = around(box), i++) {
		const all = [...ask(Element, "querySelectorAll", box, controls)].filter(n => n.checkVisibility() && (!acts || saysSo(n)));
		const outer = all.filter(n => !all.some(other => other !== n && n.contains(other)));
		if (outer.length > 0) return outer.length === 1 ? outer[0] : e;
	}
	return e;
}`

// Labelled is the control that an element is a label of, or a part of one, or stands beside; any other element is
// itself. controls are those that are meant.
func Labelled(d Actor, n page.Element, controls string) (page.Element, error) {
	return related(d, n, labelled, controls)
}

// Swapped is the field that a page shows in place of one that has got the focus; any other field is itself.
func Swapped(d Actor, n page.Element) (page.Element, error) { return related(d, n, swapped) }

// focusAndListen is focusField with a listener for what is typed.
const focusAndListen = `(e, clear, placed, id, signs) => {
	(` + listen + `)(e, id, signs, 0);
	const selected = (` + focusField + `)(e, clear, placed);
	(` + tellRefocused + `)(e, id);
	return selected;
}`

// Fill types a text into a field after it was clicked; with clear the text replaces the content.
func Fill(d Actor, clicked *Aim, field Field, text string, clear bool) (err error) {
	typed := clicked.forInput(signsOf(text))
	var placed, selected bool
	if field.Drawn {
		if placed, err = placeCaret(d, typed.target, clear); err != nil {
			return err
		}
	}
	if err := typed.focus(d, clear, placed, &selected); err != nil {
		return err
	}
	switch {
	case text != "":
		return typed.write(d, text) // replaces the selection
	case selected:
		return typed.Deliver(d, func(geometry.Point) error { return typeKey(d, namedKeys["Delete"], 0) })
	}
	return nil
}

// expectKey focuses a field that the page draws itself, begins to note whether the page takes the next key for itself,
// and returns the modifier of shortcuts there.
const expectKey = `(e) => {
	if (e.getRootNode().activeElement !== e) e.focus({preventScroll: true});
	own.taken = null;
	const note = key => {
		if (key.key === "Control" || key.key === "Meta") return;
		removeEventListener("keydown", note, {capture: true});
		own.taken = () => key.defaultPrevented;
	};
	addEventListener("keydown", note, {capture: true});
	return navigator.platform.startsWith("Mac") ? "Meta" : "Control";
}`

// keyTaken returns whether the page has taken the key.
const keyTaken = `() => own.taken?.() ?? false`

// placeCaret selects the content of a field that the page draws itself, or puts the caret at its end, by the key for
// that, and reports whether the page took it. An EditContext only has what the page shows the browser of its text, and
// what is selected there is not what the page has selected; nor is it in a textarea that only takes the keys.
// https://w3c.github.io/edit-context/#edit-context-model
func placeCaret(d Actor, n page.Element, clear bool) (placed bool, err error) {
	var modifier string
	if err := d.Run(n.Frame, n.ID, expectKey, nil, &modifier); err != nil {
		return false, err
	}
	chord, err := ParseChord(modifier + "+" + map[bool]string{true: "a", false: "End"}[clear])
	if err != nil {
		return false, err
	}
	if err := chord.held.during(d, func(bits int64) error { return typeKey(d, chord.key, bits) }); err != nil {
		return false, err
	}
	err = d.Run(n.Frame, 0, keyTaken, nil, &placed)
	return placed, err
}

// FillFocused types a text into the field that has the focus.
func FillFocused(d Actor, n page.Element, field Field, text string, clear bool) error {
	if err := d.Announce(n.Frame); err != nil {
		return err
	}
	return Fill(d, aimAt(n, Keyed, false), field, text, clear)
}

// WriteFocused types a text where the caret is in what has the focus. It replaces only what is selected there.
func WriteFocused(d Actor, n page.Element, text string) error {
	if text == "" {
		return nil
	}
	aim := aimAt(n, signsOf(text), false)
	if err := aim.listen(d); err != nil {
		return err
	}
	return aim.write(d, text)
}

// write types a text into what is aimed at, as long as that has the focus: an advertisement that takes the focus could
// have the rest of a password otherwise.
func (a *Aim) write(d Actor, text string) error {
	return a.Deliver(d, func(geometry.Point) error {
		return Write(d, text, func(typed int) error {
			if typed == 0 || d.Announced(a.id) != outOfFocus {
				return nil
			}
			return a.refocused(d, &NotDeliveredError{Refocused: true, Begun: true})
		})
	})
}

// InsertFocused replaces the content of the field that has the focus by a text as a whole, as a paste does.
func InsertFocused(d Actor, n page.Element, text string) error {
	if err := d.Announce(n.Frame); err != nil {
		return err
	}
	aim, selected := aimAt(n, Inserted, false), false
	if err := aim.focus(d, true, false, &selected); err != nil {
		return err
	}
	return aim.Deliver(d, func(geometry.Point) error { return insert(d, text) })
}

// focus focuses a field and installs the listener in its frame, or in the one that the field shows.
func (a *Aim) focus(d Actor, clear, placed bool, selected *bool) error {
	n := a.target
	if a.node == n {
		return d.Run(n.Frame, n.ID, focusAndListen, []any{clear, placed, a.id, a.signs}, selected)
	}
	if err := d.Run(n.Frame, n.ID, focusField, []any{clear, placed}, selected); err != nil || a.unverifiable {
		return err
	}
	return a.listen(d)
}

// Set sets the value of a field as a whole: a date, a time, a colour or a number of a range.
func Set(d Actor, n page.Element, text string) error {
	var takes bool
	if err := d.Run(n.Frame, n.ID, setField, []any{text}, &takes); err != nil || takes {
		return err
	}
	return unfitError(d, n, "a field that does not take this value: dates are 2006-01-02, times 15:04, months 2006-01, weeks 2006-W01, "+
		"both 2006-01-02T15:04, colours #aabbcc, and a slider takes numbers from its least to its greatest")
}

// keepsOld returns whether an editor has, beside a text, still all that this was to replace.
const keepsOld = `(e, text) => {
	const fold = s => s.replace(/\s+/g, " ").trim(), old = own.replacing?.e === e ? fold(own.replacing.text) : "";
	const now = fold(e.innerText), typed = fold(text);
	return old !== "" && now.includes(typed) && now.replace(typed, "").includes(old);
}`

// KeepsOld reports whether an editor has, beside a text, still all that this was to replace. Some have a selection of
// their own, and learn only in time what is selected in the document, but take the keys of people for that.
func KeepsOld(d Actor, n page.Element, text string) (keeps bool, err error) {
	err = d.Run(n.Frame, n.ID, keepsOld, []any{text}, &keeps)
	return keeps, err
}

// keptText returns what a field has if it is not the text that was typed into it, but for white space and, in colours,
// upper and lower case; else null. In an editor there may be more than the text.
const keptText = `(e, text) => {
	for (let inner; inner = e.shadowRoot?.activeElement; ) e = inner;
	const fold = s => s.replace(/\s+/g, " ").trim(), field = ["input", "textarea"].includes(e.localName);
	if (!e.isConnected || !field && !e.isContentEditable) return null;
	if (!field) return fold(e.innerText).includes(fold(text)) && !(` + keepsOld + `)(e, text) ? null : e.innerText;
	const same = s => e.type === "color" ? fold(s).toLowerCase() : fold(s);
	return same(e.value) === same(text) ? null : e.value;
}`

// Kept returns what a field has instead of the text that was typed into it, as when the page formats, shortens or
// refuses it; differs reports whether it does.
func Kept(d Actor, n page.Element, text string) (has string, differs bool, err error) {
	var kept *string
	if err := d.Run(n.Frame, n.ID, keptText, []any{text}, &kept); err != nil || kept == nil {
		return "", false, err
	}
	return *kept, true, nil
}

// What a field for numbers takes, whole and in parts. It leaves out what it does not know: of 1,5 it makes 15.
var (
	number = regexp.MustCompile(`^\s*[-+]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][-+]?[0-9]+)?\s*$`)
	digits = regexp.MustCompile(`^[-+.eE0-9]*$`)
)

// Fits checks whether a field takes a text, which replaces its content or is added to it. The error is a
// [*NotActionableError].
func (f Field) Fits(d Actor, n page.Element, text string, clear bool) error {
	if !f.Number || text == "" || clear && number.MatchString(text) || !clear && digits.MatchString(text) {
		return nil
	}
	return unfitError(d, n, "a field that takes numbers only, written as 1234.5")
}

// unfitError says, in our own words, why an element does not suit the action.
func unfitError(d Actor, n page.Element, what string) error {
	name, err := page.Name(d, n)
	if err != nil {
		return err
	}
	return &NotActionableError{Obstacle: Unfit, Element: name, By: what}
}

// Focus focuses an element without a click.
func Focus(d Actor, n page.Element) error {
	if err := scrollTo(d, n); err != nil {
		return err
	}
	return d.Run(n.Frame, n.ID, focus, nil, nil)
}

const focus = "(e) => { e.focus({preventScroll: true}); return null }"

// choose selects the options with the given values, or else labels, and returns the values that are then selected. If
// one of them matches no option, it changes nothing and returns the options.
const choose = `(e, wanted) => {
	if (e.localName === "option") e = e.closest("select");
	if (!e || e.localName !== "select") return {unfit: "not a select"};
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

// otherOption returns whether a closed list has an option with a text that is not the one that it shows.
const otherOption = `(e, text) => {
	const same = o => o.label.trim().replace(/\s+/g, " ").toLowerCase() === text.trim().replace(/\s+/g, " ").toLowerCase();
	return e.localName === "select" && e.size <= 1 && !e.multiple && ![...e.selectedOptions].some(same) && [...e.options].some(same);
}`

// IsOtherOption reports whether a text is that of an option of a closed list, other than the one that it shows.
func IsOtherOption(d Actor, list page.Element, text string) (is bool, err error) {
	err = d.Run(list.Frame, list.ID, otherOption, []any{text}, &is)
	return is, err
}

// OptionError says that a select has no option with a value or label. Its texts come from the page.
type OptionError struct{ Missing, Options []string }

// Error names the missing options and those that exist, quoted and escaped.
func (e *OptionError) Error() string {
	return fmt.Sprintf("the select has no option %s; it has %s", quoteAll(e.Missing), quoteAll(e.Options))
}

// Unwrap returns [fault.ErrNotActionable].
func (e *OptionError) Unwrap() error { return fault.ErrNotActionable }

func quoteAll(texts []string) string {
	quoted := make([]string, len(texts))
	for i, text := range texts {
		quoted[i], _ = page.Clip(text, page.MaxDescribed)
	}
	return strings.Join(quoted, ", ")
}

// Select selects options of a select by their values or labels, and returns the values that are then selected. It does
// not use the pointer, because the list that a browser shows is not part of the page.
func Select(d Actor, n page.Element, wanted []string) ([]string, error) {
	var r struct {
		Unfit                      string
		Missing, Options, Selected []string
	}
	if err := d.Run(n.Frame, n.ID, choose, []any{append([]string{}, wanted...)}, &r); err != nil {
		return nil, err
	}
	switch {
	case r.Unfit != "":
		return nil, unfitError(d, n, r.Unfit)
	case r.Missing != nil:
		return nil, &OptionError{r.Missing, r.Options}
	}
	return r.Selected, nil
}

// isChecked returns whether a checkbox, radio button or switch, or that of a label, is checked: true, false, or null
// for anything else.
const isChecked = `(e) => {
	if (e.localName === "label" && e.control) e = e.control;
	if (e.localName === "input" && ["checkbox", "radio"].includes(e.type)) return e.checked;
	const aria = e.getAttribute("aria-checked") ?? e.getAttribute("aria-pressed");
	return aria === null ? null : aria === "true";
}`

// Checked reports whether an element is checked. The error is a [*NotActionableError] for an element that cannot be.
func Checked(d Actor, n page.Element) (bool, error) {
	var on *bool
	err := d.Run(n.Frame, n.ID, isChecked, nil, &on)
	if err == nil && on == nil {
		on, err = page.CheckedByTree(d, n)
	}
	if err != nil {
		return false, err
	}
	if on == nil {
		return false, unfitError(d, n, "not a checkbox, radio button or switch")
	}
	return *on, nil
}
