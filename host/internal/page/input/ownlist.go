package input

import (
	"github.com/hermes-cdp/hermes-cdp/host/internal/page"
)

// Most pages draw the lists that people choose from themselves: a button or a field that opens a list of options, which
// says so by its role. https://www.w3.org/WAI/ARIA/apg/patterns/combobox/

// ownersOf are an element that opens a list, and what is in it that may do so for it.
const ownersOf = `(e) => [e, ...ask(Element, "querySelectorAll", e, "[role=combobox], [aria-haspopup], input, button")]`

// ownList returns the list that a combobox of the page's own has opened, or the list box that an element is; null if
// none is seen. A combobox that says that it is open, and not which list it has opened, has opened the only one.
const ownList = `(e) => {
	const root = ask(Node, "getRootNode", e), attribute = (n, name) => ask(Element, "getAttribute", n, name) ?? "";
	const seen = n => ask(Element, "checkVisibility", n, {visibilityProperty: true}) && [...ask(Element, "getClientRects", n)].some(r => r.width > 1 && r.height > 1);
	const isList = n => ask(Element, "matches", n, "[role=listbox]");
	if (isList(e) && seen(e)) return e;
	const owners = (` + ownersOf + `)(e);
	const ids = owners.flatMap(n => (attribute(n, "aria-controls") + " " + attribute(n, "aria-owns")).trim().split(/\s+/)).filter(Boolean);
	const named = ids.map(id => root.getElementById(id) ?? document.getElementById(id)).find(n => n && seen(n));
	if (named || !owners.some(n => attribute(n, "aria-expanded") === "true")) return named ?? null;
	const all = [...new Set([...root.querySelectorAll("[role=listbox]"), ...document.querySelectorAll("[role=listbox]")])].filter(seen);
	return all.length === 1 ? all[0] : null;
}`

// optionsOfOwn are the options of such a list that can be seen, each with its label. The list and its options may be
// components, with parts in open shadow roots and slots. https://dom.spec.whatwg.org/#concept-flat-tree
const optionsOfOwn = `(list) => {
	const options = [];
	const inside = n => {
		const root = of(Element, "shadowRoot", n), assigned = n instanceof HTMLSlotElement ? n.assignedElements() : [];
		return root?.children ?? (assigned.length ? assigned : of(Element, "children", n));
	};
	const add = n => {
		const isOption = ask(Element, "matches", n, "[role=option], [role=menuitemcheckbox], [role=menuitemradio]");
		if (isOption && ask(Element, "getClientRects", n).length > 0) options.push(n);
		for (const inner of inside(n)) add(inner);
	};
	for (const n of inside(list)) add(n);
	return options.map(n => ({n, label: (` + labelOfOption + `)(n)}));
}`

// labelOfOption is the label of an option, which shows what is slotted into its component if it has no text itself.
const labelOfOption = `(o) => {
	const line = text => text.replace(/\s+/g, " ").trim(), shown = n => line(of(HTMLElement, "innerText", n));
	return line(ask(Element, "getAttribute", o, "aria-label") ?? "") || shown(o) || shown(ask(Node, "getRootNode", o).host ?? o);
}`

const (
	// isOwnList returns whether an element opens, or is, a list of the page's own.
	isOwnList = `(e) => ask(Element, "matches", e, ":not(select):is([role=combobox], [role=listbox], [aria-haspopup=listbox])")`
	// ownOption returns the option that has a label, or else the only one with that as the whole text of a part, or else
	// one that has it as its value.
	ownOption = `(e, wanted) => {
	const list = (` + ownList + `)(e), options = list ? (` + optionsOfOwn + `)(list) : [], line = text => text.replace(/\s+/g, " ").trim(), said = line(wanted), low = said.toLowerCase();
	const value = n => ask(Element, "getAttribute", n, "data-value") ?? ask(Element, "getAttribute", n, "value");
	const labelled = options.find(o => o.label === said) ?? options.find(o => o.label.toLowerCase() === low);
	if (labelled) return labelled.n;
	const inPart = options.filter(o => [...ask(Element, "querySelectorAll", o.n, "*")].some(n => line(of(Node, "textContent", n)) === said));
	return (inPart.length === 1 ? inPart[0] : options.find(o => value(o.n) === wanted))?.n ?? null;
}`
	// openerOf returns what is pressed to open a list: the only field in a box, else the element.
	openerOf = `(e) => (` + onlyField + `)(e, "input:not([type=hidden]), textarea")`
	// ownState returns an [OwnList].
	ownState = `(e) => {
	const list = (` + ownList + `)(e), says = (` + ownersOf + `)(e).map(n => ask(Element, "getAttribute", n, "aria-expanded"));
	return {open: !!list, closing: !!list && list !== e && says.includes("false") && !says.includes("true"), labels: list ? (` + optionsOfOwn + `)(list).slice(0, 50).map(o => o.label) : []};
}`
	// chosen returns a [Chosen]. A component that draws a box for an option may have no role itself, only a name.
	chosen = `(o) => {
	const says = name => ask(Element, "getAttribute", o, name) === "true";
	let list = o;
	while (list && !ask(Element, "matches", list, "[role=listbox]")) list = above(list);
	const told = ["aria-selected", "aria-checked"].some(name => ask(Element, "hasAttribute", o, name));
	const box = "[role=menuitemcheckbox], [role=checkbox], input[type=checkbox]", parts = ask(Element, "querySelectorAll", o, "*");
	const isBox = n => ask(Element, "matches", n, box) || of(Element, "localName", n).endsWith("-checkbox") || of(Element, "shadowRoot", n)?.querySelector(box);
	const hasBox = ask(Element, "matches", o, box) || [...parts].some(isBox);
	return {label: (` + labelOfOption + `)(o), told, is: says("aria-selected") || says("aria-checked"), one: !hasBox && list?.getAttribute("aria-multiselectable") !== "true"};
}`
)

// OwnList is what a list of the page's own shows.
type OwnList struct {
	Open    bool
	Closing bool     // it is still shown, and what has opened it says that it is closed
	Labels  []string // of its options, at most 50
}

// Chosen is what an option of a list of the page's own says of itself.
type Chosen struct {
	Label string
	Is    bool
	Told  bool // it says whether it is
	One   bool // at most one of the list can be
}

// IsOwnList reports whether an element opens, or is, a list of the page's own.
func IsOwnList(d Actor, n page.Element) (is bool, err error) {
	err = d.Run(n.Frame, n.ID, isOwnList, nil, &is)
	return is, err
}

// StateOfOwn returns what a list of the page's own shows.
func StateOfOwn(d Actor, list page.Element) (s OwnList, err error) {
	err = d.Run(list.Frame, list.ID, ownState, nil, &s)
	return s, err
}

// OpenerOfOwn returns what is pressed to open a list of the page's own.
func OpenerOfOwn(d Actor, list page.Element) (page.Element, error) { return related(d, list, openerOf) }

// OptionOfOwn returns the option of a list of the page's own that has a label, or else a value; zero for none.
func OptionOfOwn(d Actor, list page.Element, wanted string) (page.Element, error) {
	return related(d, list, ownOption, wanted)
}

// ChosenOfOwn returns what an option says of itself.
func ChosenOfOwn(d Actor, option page.Element) (c Chosen, err error) {
	err = d.Run(option.Frame, option.ID, chosen, nil, &c)
	return c, err
}
