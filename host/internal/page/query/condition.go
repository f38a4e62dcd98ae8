package query

// ShownBy returns the element that shows another one: the image, for an area of an image map, which has no box; else
// the element itself.
//
// https://html.spec.whatwg.org/multipage/image-maps.html#image-map-processing-model
const ShownBy = `(e) => {
	const map = e.localName === "area" && ask(Element, "closest", e, "map");
	if (!map) return e;
	const names = [map.getAttribute("name"), map.id].filter(name => name);
	const shows = image => names.includes(image.getAttribute("usemap").replace(/^[^#]*#/, "")) && image.getClientRects().length > 0;
	return [...ask(Node, "getRootNode", e).querySelectorAll("img[usemap]")].find(shows) ?? e;
}`

// disabledBy returns what disables an element, or "". Only elements of HTML can be inert.
//
// https://html.spec.whatwg.org/multipage/interaction.html#the-inert-attribute
// https://drafts.csswg.org/css-ui-4/#interactivity
const disabledBy = `(e) => {
	if (ask(Element, "matches", e, ":disabled")) return "the attribute disabled";
	for (let n = e; n; n = above(n)) {
		if (n instanceof HTMLElement && ask(Element, "hasAttribute", n, "inert")) return "inert, by " + called(n);
		if (ask(Element, "getAttribute", n, "aria-disabled") === "true") return "aria-disabled, by " + called(n);
	}
	return getComputedStyle(e).interactivity === "inert" ? "inert, by its style" : "";
}`

// Condition returns why an element cannot be acted on, or "", and the cause.
const Condition = `(e) => {
	const shown = (` + ShownBy + `)(e);
	const hidden = () => {
		for (let n = shown; n; n = above(n)) {
			const style = getComputedStyle(n);
			if (style.display === "none") return "display: none on " + called(n);
			if (n === shown && style.visibility !== "visible") return "visibility: " + style.visibility;
		}
		if (!ask(Element, "checkVisibility", shown, {contentVisibilityAuto: false})) return "it is not rendered";
		const box = ask(Element, "getBoundingClientRect", shown);
		if (box.width === 0 || box.height === 0) return "it has no size";
		return "";
	};
	if (!of(Node, "isConnected", e)) return ["detached", ""];
	const list = e.localName === "option" && e.closest("select");
	if (list && list.size <= 1 && !list.multiple && ask(Element, "getClientRects", e).length === 0) return ["unfit", e.value];
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
// opened blocks everything that is not in it. Of other dialogs a page says so, or has most else let the pointer
// through.
const ModalOver = `(e) => {
	const open = kind => [...document.querySelectorAll(kind)].filter(m => m.checkVisibility({visibilityProperty: true}));
	const native = open("dialog:modal"), said = open("[aria-modal=true]");
	if (native.some(m => within(e, m))) return null;
	const through = n => getComputedStyle(n).pointerEvents === "none", parts = [...of(Node, "childNodes", document.body ?? document)].filter(n => n instanceof HTMLElement && n.checkVisibility());
	const alone = through(e) && 2 * parts.filter(through).length > parts.length;
	if (alone) said.push(...open("[role=dialog], [role=alertdialog], dialog[open]").filter(m => !through(m)));
	return native.at(-1) ?? said.filter(m => !within(e, m)).at(-1) ?? null;
}`
