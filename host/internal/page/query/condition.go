package query

// disabledBy returns what disables an element, or "". Only elements of HTML can be inert.
//
// https://html.spec.whatwg.org/multipage/interaction.html#the-inert-attribute
const disabledBy = `(e) => {
	if (ask(Element, "matches", e, ":disabled")) return "the attribute disabled";
	for (let n = e; n; n = above(n)) {
		if (n instanceof HTMLElement && ask(Element, "hasAttribute", n, "inert")) return "inert, by " + called(n);
		if (ask(Element, "getAttribute", n, "aria-disabled") === "true") return "aria-disabled, by " + called(n);
	}
	return "";
}`

// Condition returns why an element cannot be acted on, or "", and the cause.
const Condition = `(e) => {
	const hidden = () => {
		for (let n = e; n; n = above(n)) {
			const style = getComputedStyle(n);
			if (style.display === "none") return "display: none on " + called(n);
			if (n === e && style.visibility !== "visible") return "visibility: " + style.visibility;
		}
		if (!ask(Element, "checkVisibility", e, {contentVisibilityAuto: false})) return "it is not rendered";
		const box = ask(Element, "getBoundingClientRect", e);
		if (box.width === 0 || box.height === 0) return "it has no size";
		return "";
	};
	if (!of(Node, "isConnected", e)) return ["detached", ""];
	const list = e.localName === "option" && e.closest("select");
	if (list && list.size <= 1 && !list.multiple) return ["unfit", e.value];
	const how = hidden();
	if (how) return ["hidden", how];
	const why = (` + disabledBy + `)(e);
	if ((why.startsWith("inert") || document.querySelector("dialog:modal")) && (` + ModalOver + `)(e)) return ["behind a modal", ""];
	return why ? ["disabled", why] : ["", ""];
}`

// DrawnText returns the text of an element that the page draws itself and edits through an EditContext; null for any
// other element. https://w3c.github.io/edit-context/
const DrawnText = `(e) => typeof e.editContext?.text === "string" ? e.editContext.text : null`

// ModalOver returns the modal dialog that an element is behind, in its document; null for none. What showModal has
// opened blocks everything that is not in it. Of other dialogs a page says so.
const ModalOver = `(e) => {
	const open = kind => [...document.querySelectorAll(kind)].filter(m => m.checkVisibility({visibilityProperty: true}));
	const native = open("dialog:modal"), said = open("[aria-modal=true]");
	if (native.some(m => within(e, m))) return null;
	return native.at(-1) ?? said.filter(m => !within(e, m)).at(-1) ?? null;
}`
