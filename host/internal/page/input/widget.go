package input

import (
	cdproto "github.com/chromedp/cdproto/cdp"

	"github.com/hermes-cdp/hermes-cdp/host/internal/page"
	"github.com/hermes-cdp/hermes-cdp/host/internal/page/query"
)

// Pages rarely show a control as the browser draws it. The native one is hidden and its label shown, or something that
// the page paints lies over it.

const (
	// hitIn is elementFromPoint of a root by the flat tree: text in a slot is a part of what is around the slot, though
	// its parent is the host. https://dom.spec.whatwg.org/#concept-flat-tree
	hitIn = `(root, x, y) => {
	const hit = root.elementFromPoint(x, y);
	return hit && hit === root.host ? root.elementsFromPoint(x, y).find(e => ask(Node, "getRootNode", e) === root) ?? hit : hit;
}`
	// stretched returns the link or button that a page stretches over the card around an element that is no control, to
	// make all of the card a part of it; null if there is none.
	stretched = `(e) => {
	const px = length => parseFloat(length) || 0, around = n => of(Node, "parentElement", n);
	for (let card = around(e), i = 0; i < 4 && card && card !== document.body; card = around(card), i++) {
		const controls = [...ask(Element, "querySelectorAll", card, "a[href], button, [role=link], [role=button]")];
		if (controls.length > 10) return null; // a list of cards
		const isOver = c => ["", "::after", "::before"].some(part => {
			const style = getComputedStyle(c, part);
			if (style.position !== "absolute" || part && style.content === "none") return false;
			let block = part ? c : around(c);
			while (block !== card && getComputedStyle(block).position === "static") block = around(block);
			return block === card && px(style.width) >= card.clientWidth - 1 && px(style.height) >= card.clientHeight - 1;
		});
		const over = !controls.some(c => ask(Node, "contains", c, e)) && controls.find(isOver);
		if (over) return over;
	}
	return null;
}`
	// entryOf returns the only field that stands beside a list of the page's own, to take its text; null if there is none.
	entryOf = `(list) => {
	const fields = [...ask(Element, "querySelectorAll", of(Node, "parentElement", list), "input:not([readonly], [type=hidden]), textarea")].filter(n => n !== list && n.checkVisibility());
	return fields.length === 1 && !ask(Node, "contains", list, fields[0]) ? fields[0] : null;
}`
	// belongs returns whether a press on an element counts for another one.
	belongs = `function belongs(hit, e, again) {
	const closest = (n, selector) => ask(Element, "closest", n, selector), text = n => of(Node, "textContent", n).trim(), around = n => of(Node, "parentElement", n);
	const contains = (n, other) => ask(Node, "contains", n, other), is = selector => ask(Element, "matches", e, selector);
	const lets = n => getComputedStyle(n).pointerEvents === "none", cursor = getComputedStyle(hit).cursor;

	const buttons = "a[href], button, summary, [role=button], [role=link], [role^=menuitem], [role=option], [role=tab], [role=treeitem]";
	const controls = "a[href], button, input, textarea, select, summary, iframe, [tabindex], [contenteditable], [onclick], [role=button], [role=dialog]";
	const controlOf = n => closest(n, buttons + ", input, select, textarea, [tabindex], [onclick], [contenteditable]"), control = controlOf(e);

	// It is inside that, or labels it, or is the field that it labels and no link in the label.
	if (within(hit, e) || closest(hit, "label")?.control === e) return true;
	const label = closest(e, "label"), labels = label && !(control && contains(label, control)) ? label.control : null;
	const field = labels ?? (lets(e) ? (` + labelled + `)(e, "` + TextFields + `") : null);
	if (field && field !== e && !again && belongs(hit, field, true)) return true;

	// It is another part of the button that both are in, or the link that makes the card around it a part of itself.
	if (control && control !== e && control === controlOf(hit) && ask(Element, "matches", control, buttons)) return true;
	if (!control && (` + stretched + `)(e) === hit) return true;

	// It is the field that shows the same text, over a copy that takes the room for it.
	const copies = ask(Element, "matches", hit, "input, textarea") && [hit.placeholder, hit.value].some(shown => shown && shown.trim() === text(e));
	let shared = copies ? around(hit) : null;
	for (let i = 0; i < 2 && shared && !contains(shared, e); i++) shared = around(shared);
	if (shared && contains(shared, e)) return true;

	// It is a shape that nobody sees over a text of the same drawing, to take its clicks.
	const group = hit instanceof SVGElement && e instanceof SVGElement && text(hit) === "" && closest(hit, "g"), style = getComputedStyle(hit);
	const isUnseen = style.opacity === "0" || style.fillOpacity === "0" || /^(none|transparent|rgba\(.*, 0\))$/.test(style.fill);
	if (group && contains(group, e) && isUnseen) return true;

	// It is, or is around, the only field that stands beside a list of the page's own, and lies over it to take its text.
	const list = closest(e, "[role=combobox]"), entry = list && (` + entryOf + `)(list);
	if (entry && !contains(list, hit) && contains(hit, entry) && contains(around(list), hit)) return true;

	// It is the component that takes the pointer for the only control in it.
	const root = ask(Node, "getRootNode", e);
	const isAlone = () => ![...ask(ShadowRoot, "querySelectorAll", root, controls)].some(c => c !== e && !contains(e, c));
	if (lets(e) && hit === root.host && control === e && isAlone()) return true;

	// It is a drawing that lets the pointer through to what it is drawn on.
	const on = is("canvas") && lets(e) ? around(e) : null, taker = on && controlOf(hit);
	if (on && (contains(hit, e) || contains(on, hit) && (taker === on || !contains(on, taker)))) return true;

	// It takes clicks, and that is a text over it which lets the pointer through. If more does, it is disabled as a whole.
	let clear = lets(e) ? e : null;
	while (clear && around(clear) && lets(around(clear))) clear = around(clear);
	const isOver = clear && (contains(hit, e) || around(clear) && contains(around(clear), hit));
	if (isOver && (!control || control === hit) && text(clear) === text(e) && ["pointer", "text", "grab", "move", "all-scroll"].includes(cursor)) return true;

	// It is painted over a control, such as the thumb of a slider or the placeholder of a field, is a target for fingers on
	// a field, or what a field lets the pointer through to. An empty cover keeps clicks away, unless its pointer says that
	// it takes them. What is painted is in a wrapper with no other control.
	const isPainted = is("input:is([type=range], [type=checkbox], [type=radio]), [role=slider], [role=switch], [role=checkbox], [role=radio]");
	const isField = is("input, textarea, [role=combobox], [role=textbox], [role=searchbox], [contenteditable]"), isClear = clear === e && contains(hit, e);
	const [over, under] = [hit, e].map(n => ask(Element, "getBoundingClientRect", n)), isSmall = over.width < under.width + 64 && over.height < under.height + 64;
	const isAll = over.left <= under.left && over.top <= under.top && over.right >= under.right && over.bottom >= under.bottom;
	const isEmpty = text(hit) === "", isTarget = isEmpty && isSmall && isAll && cursor === "pointer"; // not an icon in the field
	if (!isPainted && !(isField && (isClear || isTarget || !isEmpty && of(Element, "childElementCount", hit) === 0))) return false;
	let wrapper = around(e);
	for (let i = 0; i < (isTarget ? 6 : 3) && wrapper && !contains(wrapper, hit); i++) wrapper = around(wrapper);
	if (!wrapper || !contains(wrapper, hit) || wrapper === document.body) return false;
	const isOther = c => c !== e && !contains(c, e) && !contains(e, c) && ask(Element, "checkVisibility", c) && !closest(c, "[aria-hidden=true]");
	return ![...ask(Element, "querySelectorAll", wrapper, controls)].some(isOther);
}`
	// isEditors returns whether an element is a textarea with which an editor of the page's own only takes keys, as those
	// of code do: it says what it is and is not drawn, or is alone in a box without room. Those of terminals say nothing.
	isEditors = `(e) => {
	const parent = of(Node, "parentElement", e);
	if (e.localName !== "textarea" || !parent) return false;
	const box = ask(Element, "getBoundingClientRect", parent);
	return e.getAttribute("role") === "textbox" && getComputedStyle(e).opacity === "0" || /^editor$/i.test(e.getAttribute("aria-roledescription") ?? "") ||
		of(Element, "childElementCount", parent) === 1 && getComputedStyle(parent).overflow !== "visible" && Math.max(box.width, box.height) < 4;
}`
	// shownFor returns what a person presses for a field that nobody sees: the box around it, if it is for this field
	// alone, or its label; null if there is neither, and for a textarea that only takes keys.
	shownFor = `(e) => {
	if ((` + query.DrawnText + `)(e) !== null || (` + isEditors + `)(e) || e.matches("input:is([type=checkbox], [type=radio])")) return null;
	const others = "a[href], button, input, textarea, select, summary, iframe, [tabindex], [contenteditable], [onclick], [role=button]";
	const seen = n => [...ask(Element, "getClientRects", n)].some(r => r.width >= 8 && r.height >= 8) && ask(Element, "checkVisibility", n, {visibilityProperty: true, opacityProperty: true});
	for (let box = above(e), i = 0; i < 4 && box && box !== document.body; box = above(box), i++) {
		if ([...ask(Element, "querySelectorAll", box, others)].some(c => c !== e && !ask(Node, "contains", e, c))) break;
		if (seen(box)) return box;
	}
	return [...e.labels ?? []].find(seen) ?? null;
}`
	// standIn returns what stands for a control that cannot be seen: its label, the control itself if it can only have the
	// focus, or null for one that has to be seen.
	standIn = `(e) => {
	const seen = n => [...n.getClientRects()].some(r => r.width > 1 && r.height > 1) && n.checkVisibility({visibilityProperty: true});
	const clips = style => /^rect\(0px, 0px, 0px, 0px\)/.test(style.clip) || /^inset\((50|100)%/.test(style.clipPath);
	const isPoint = n => Math.max(n.getBoundingClientRect().width, n.getBoundingClientRect().height) <= 1;
	const hides = n => { const style = getComputedStyle(n); return clips(style) || style.overflow !== "visible" && isPoint(n) };
	const style = getComputedStyle(e), away = style.pointerEvents === "none" || clips(style);
	if (!e.isConnected || e.matches(":disabled")) return null;
	const focusable = e.tabIndex >= 0 && e.getClientRects().length > 0 && style.visibility === "visible";
	if (focusable && (` + isEditors + `)(e)) return e;
	let isHidden = !seen(e);
	for (let n = above(e), i = 0; n && i < 3 && !isHidden; n = above(n), i++) isHidden = hides(n);
	if (!isHidden && !away) return null;
	const label = e.matches("input:is([type=checkbox], [type=radio], [type=file])") && [...e.labels].find(seen);
	if (label || !isHidden) return label || null;
	const drawn = (` + query.DrawnText + `)(e) !== null, takes = drawn || e.matches("input, textarea, [contenteditable]") || e.getAttribute("role") === "textbox";
	return takes && (focusable || drawn && e.getClientRects().length > 0 && style.visibility === "visible") ? e : null;
}`
)

// standInFor returns what stands for a control that a page does not show: its label; the control itself if it can only
// be reached by the focus and the keyboard; the zero value for an element that has to be seen.
func standInFor(d Actor, n page.Element) (page.Element, error) {
	var by cdproto.BackendNodeID
	if err := d.Run(n.Frame, n.ID, standIn, nil, &by); err != nil || by == 0 {
		return page.Element{}, err
	}
	return page.Element{Frame: n.Frame, ID: by}, nil
}

// Shown aims at what a person presses instead, if this is a field that nobody sees: pages listen for clicks on what
// they show. A field for which nothing is shown stays; clicking it gives it the focus.
func (a *Aim) Shown(d Actor) (*Aim, error) {
	if !a.byKey {
		return a, nil
	}
	var shown cdproto.BackendNodeID
	if err := d.Run(a.node.Frame, a.node.ID, shownFor, nil, &shown); err != nil || shown == 0 {
		return a, err
	}
	return awaitReady(d, page.Element{Frame: a.node.Frame, ID: shown}, a.signs)
}

// pressByKey does without the pointer what a press does: it focuses a field, and switches a checkbox or radio button.
func (a *Aim) pressByKey(d Actor) error {
	var switches bool
	if err := d.Run(a.node.Frame, a.node.ID, `(e) => e.matches("input:is([type=checkbox], [type=radio])")`, nil, &switches); err != nil {
		return err
	}
	if !switches {
		return Focus(d, a.node)
	}
	_, err := PressOn(d, a.node, Chord{key: printable[' ']})
	return err
}
