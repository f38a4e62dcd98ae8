// The headings of the document and of its open shadow roots, in tree order. The page's scripts cannot interfere here, but
// its elements can: the fields of a form are properties of the form, so the script does not read properties that could be
// such fields from elements of unknown type.
const maxLevel = args.max_level ?? 6, maxCount = args.max_count ?? 100, maxText = 200;
const walk = root => Document.prototype.createTreeWalker.call(document, root, NodeFilter.SHOW_ELEMENT);
const shadowRoot = Object.getOwnPropertyDescriptor(Element.prototype, "shadowRoot").get;
const headings = [];
let total = 0;
for (const walkers = [walk(document)]; walkers.length > 0;) {
	const element = walkers.at(-1).nextNode();
	if (!element) {
		walkers.pop();
		continue;
	}
	if (element instanceof HTMLHeadingElement) {
		const level = Number(element.localName[1]);
		if (level <= maxLevel && ++total <= maxCount) {
			const text = element.textContent.slice(0, 20 * maxText).replace(/\s+/g, " ").trim();
			headings.push({level, text: text.length > maxText ? text.slice(0, maxText) + "…" : text});
		}
	}
	const shadow = shadowRoot.call(element);
	if (shadow) {
		walkers.push(walk(shadow));
	}
}
return {headings, total};
