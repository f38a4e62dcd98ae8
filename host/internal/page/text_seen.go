package page

// seenText returns the visible text of an element, or of the document's body, in the order in which it is shown. The
// text of shadow roots, open and closed, is at their hosts, and that of slotted nodes at their slots. It is cut at a
// number of UTF-16 units; length is that of the whole text, in characters.
//
// Chromium's innerText knows what is rendered and where lines break, but nothing of shadow roots. So it is used for all
// elements that contain neither a host nor a slot, and the text around those is assembled here.
const seenText = `(closed, e, limit) => {
	const below = (` + rootOf + `)(closed);
	const mixed = new Set(); // nodes that contain hosts or slots
	const mark = n => { for (; n && !mixed.has(n); n = n.parentNode ?? n.host) mixed.add(n) };
	const survey = root => {
		if (root instanceof ShadowRoot) for (const slot of root.querySelectorAll("slot")) mark(slot);
		for (const n of root.querySelectorAll("*")) {
			const inner = below(n);
			if (inner) { mark(n); survey(inner) }
		}
	};
	survey(document);
	const blank = /[ \t\n\r\f]+/g;
	const cases = {uppercase: text => text.toUpperCase(), lowercase: text => text.toLowerCase()};
	const plain = n => [n.innerText, n.textContent].find(text => typeof text === "string") ?? ""; // forms may hide theirs
	let out = "", line = true, gap = false; // the output, whether it is at the start of a line, and whether a space is due
	const write = text => {
		if (!text) return;
		if (gap && !line && !/^\s/.test(text)) out += " ";
		gap = false;
		out += text;
		line = out.endsWith("\n");
	};
	const part = () => { if (!line) out += "\n"; line = true; gap = false };
	const words = (text, style) => {
		if (style.visibility !== "visible") return;
		text = (cases[style.textTransform] ?? (t => t))(text);
		if (/^(pre|break)/.test(style.whiteSpace)) return write(text);
		text = text.replace(blank, " ");
		gap ||= text.startsWith(" ");
		write(text.trim());
		gap ||= text.endsWith(" ");
	};
	const visit = n => {
		const style = getComputedStyle(n);
		if (style.display === "none" || style.display !== "contents" && n.checkVisibility && !n.checkVisibility()) return;
		const apart = !/^(inline|contents|ruby)/.test(style.display);
		if (apart) part();
		if (mixed.has(n)) {
			for (const child of shown(n)) {
				if (child.nodeType === Node.TEXT_NODE) words(child.data, style);
				else if (child.nodeType === Node.ELEMENT_NODE) visit(child);
			}
		} else if (n.localName === "br") {
			write("\n");
		} else {
			const text = plain(n);
			write(apart ? text.trim() : text);
		}
		if (apart) part();
	};
	const shown = n => {
		const inner = below(n);
		if (inner) return inner.childNodes;
		const given = n instanceof HTMLSlotElement ? n.assignedNodes() : [];
		if (given.length > 0) return given;
		return n.localName === "details" && !n.open ? [...n.children] : n.childNodes;
	};
	e ??= document.body;
	if (e && mixed.has(e)) visit(e);
	else if (e) out = plain(e);
	const text = out.trim();
	return {text: text.slice(0, limit), length: [...text].length};
}`
