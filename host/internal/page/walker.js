// The reading of a document by a script. It runs in a world of its own, which the page's scripts cannot reach, walks the
// flat tree (https://dom.spec.whatwg.org/#shadow-trees) and lists what assistive technology would find there, in the
// words of Chromium's accessibility tree. It changes nothing in the page.
//
// The roles are those of HTML-AAM (https://w3c.github.io/html-aam/) and ARIA (https://w3c.github.io/aria/), the names
// those of "Accessible Name and Description Computation" (https://w3c.github.io/accname/).
() => {
	"use strict";
	// The elements of a document may have the names of its properties, which they hide:
	// https://html.spec.whatwg.org/multipage/dom.html#dom-tree-accessors:dom-document-nameditem
	const page = new Proxy({}, {get: (_, name) => {
		const value = Reflect.get(Document.prototype, name, document);
		return typeof value === "function" ? value.bind(document) : value;
	}});
	const words = text => new Set(text.split(" "));
	const none = Object.freeze([]);

	// Elements that scripts see only from outside, or that take a layout engine to describe: the accessibility tree is
	// read instead where one of them is.
	const opaque = "embed, object, map, frameset, math, audio[controls], video[controls], details:not(:has(> summary))";
	const mayBeOpaque = words("embed object map frameset math audio video details");

	const hiddenTags = words("desc defs metadata script style template noscript head meta link title base param source track noframes rp rt datalist");
	const knownRoles = words("alert alertdialog application article banner blockquote button caption cell checkbox code columnheader combobox " +
		"complementary contentinfo definition deletion dialog directory document emphasis feed figure form generic grid gridcell group heading " +
		"image img insertion link list listbox listitem log main mark marquee math menu menubar menuitem menuitemcheckbox menuitemradio meter " +
		"navigation none note option paragraph presentation progressbar radio radiogroup region row rowgroup rowheader scrollbar search searchbox " +
		"sectionfooter sectionheader separator slider spinbutton status strong subscript suggestion superscript switch tab table tablist tabpanel " +
		"term textbox time timer toolbar tooltip tree treegrid treeitem comment");

	class Unreadable {
		constructor(what) { this.what = what }
	}

	// State of a document that outlives a reading.
	const numbers = new WeakMap(), elements = new Map();
	const styles = new WeakMap(), pseudos = {"::before": new WeakMap(), "::after": new WeakMap()}; // they stay up to date

	// Look is what a reading asked of a computed style: each property once, and once more to find out whether it still
	// holds.
	class Look {
		constructor(style) {
			this.style = style;
			this.display_ = this.visibility_ = this.position_ = this.float_ = this.cursor_ = this.content_ = this.overflowY_ = this.contentVisibility_ =
				this.columnCount_ = this.columnWidth_ = this.textTransform_ = this.whiteSpaceCollapse_ = this.interactivity_ = undefined;
		}
		get display() { return this.display_ ??= this.style.display }
		get visibility() { return this.visibility_ ??= this.style.visibility }
		get position() { return this.position_ ??= this.style.position }
		get float() { return this.float_ ??= this.style.float }
		get cursor() { return this.cursor_ ??= this.style.cursor }
		get content() { return this.content_ ??= this.style.content }
		get overflowY() { return this.overflowY_ ??= this.style.overflowY }
		get contentVisibility() { return this.contentVisibility_ ??= this.style.contentVisibility }
		get columnCount() { return this.columnCount_ ??= this.style.columnCount }
		get columnWidth() { return this.columnWidth_ ??= this.style.columnWidth }
		get textTransform() { return this.textTransform_ ??= this.style.textTransform }
		get whiteSpaceCollapse() { return this.whiteSpaceCollapse_ ??= this.style.whiteSpaceCollapse }
		get interactivity() { return this.interactivity_ ??= this.style.interactivity }
		get holds() {
			const now = this.style;
			return (this.display_ === undefined || this.display_ === now.display) &&
				(this.visibility_ === undefined || this.visibility_ === now.visibility) &&
				(this.position_ === undefined || this.position_ === now.position) &&
				(this.float_ === undefined || this.float_ === now.float) &&
				(this.cursor_ === undefined || this.cursor_ === now.cursor) &&
				(this.content_ === undefined || this.content_ === now.content) &&
				(this.overflowY_ === undefined || this.overflowY_ === now.overflowY) &&
				(this.contentVisibility_ === undefined || this.contentVisibility_ === now.contentVisibility) &&
				(this.columnCount_ === undefined || this.columnCount_ === now.columnCount) &&
				(this.columnWidth_ === undefined || this.columnWidth_ === now.columnWidth) &&
				(this.textTransform_ === undefined || this.textTransform_ === now.textTransform) &&
				(this.whiteSpaceCollapse_ === undefined || this.whiteSpaceCollapse_ === now.whiteSpaceCollapse) &&
				(this.interactivity_ === undefined || this.interactivity_ === now.interactivity);
		}
	}
	const closed = new WeakMap(), asked = new WeakMap();
	// Whether the custom elements of a name have a role that only their own script and the accessibility tree know.
	// https://html.spec.whatwg.org/multipage/custom-elements.html#accessibility-semantics
	const semantic = new Map();
	let last = 0, listeners = new Map(), listening = new WeakSet(), stamp = null;
	const numberOf = n => {
		let number = numbers.get(n);
		if (number === undefined) {
			numbers.set(n, number = ++last);
			elements.set(number, new WeakRef(n));
		}
		return number;
	};

	// What the last reading found, for as long as nothing is known to have changed since. touched are the nodes that have
	// changed; if they are too many, all has. elementsChanged says that elements were added, or that their attributes
	// have changed: pages that make something else clickable mostly show it.
	let reading = 0, changed = true, elementsChanged = false, touched = new Set(), records = 0, roots = new Set(), scrolling = new Set(), drawn = [], print = null, kept = null;
	const maxTouched = 200, maxRecords = 10_000;
	const note = list => {
		if (changed) return;
		records += list.length;
		for (const record of records > maxRecords ? none : list) {
			touched.add(record.target);
			elementsChanged ||= record.type === "attributes" || Array.prototype.some.call(record.addedNodes, n => n.nodeType === 1);
		}
		if (records <= maxRecords && touched.size <= maxTouched) return;
		changed = true, kept = null;
		touched.clear();
		watch.disconnect();
	};
	const watch = new MutationObserver(note);

	// State of one reading.
	let strings, index, list, owned, owner, labelled, modal, hosts, customs, shown, everywhere, bottom, wearers, inertStyles, looks, looksAround, boxes, visits, tables, voids, given, up = null;
	const begin = () => {
		strings = [""], index = new Map([["", 0]]), list = [], owned = new Map(), owner = new Map(), labelled = new Map(), hosts = [], customs = new Map(), shown = new Map(), bottom = innerHeight;
		looks = new Map(), boxes = new Map(), visits = [], tables = new Map(), voids = new Map(), given = new Map(), up = null;
		looksAround = {"::before": new Map(), "::after": new Map()};
		wearers = null, inertStyles = true;
		modal = topModal();
	};
	const word = text => {
		if (text === "") return 0;
		let at = index.get(text);
		if (at === undefined) index.set(text, at = strings.push(text) - 1);
		return at;
	};
	// numberOfText numbers texts, which nobody asks for by their number.
	const numberOfText = n => {
		let number = numbers.get(n);
		if (number === undefined) numbers.set(n, number = ++last);
		return number;
	};
	const declared = (e, pseudo) => {
		const known = pseudo === undefined ? styles : pseudos[pseudo];
		let style = known.get(e);
		if (style === undefined) known.set(e, style = getComputedStyle(e, pseudo));
		return style;
	};
	const styleOf = (e, pseudo) => {
		const known = pseudo === undefined ? looks : looksAround[pseudo];
		let look = known.get(e);
		if (look === undefined) known.set(e, look = new Look(declared(e, pseudo)));
		return look;
	};
	// wearersNow are the elements that may have content before and after them, because a rule that gives it is for them;
	// null: any may. To ask for the style of what is not there takes longer than all else that is asked of an element.
	// inertStyles is whether a style may make elements inert: https://drafts.csswg.org/css-ui-4/#interactivity
	const wearersNow = () => {
		const selectors = [];
		let inert = page.querySelector("[style*=interactivity i]") !== null;
		const add = rules => {
			for (const rule of rules) {
				if (rule.styleSheet) add(rule.styleSheet.cssRules);
				if (rule.cssRules?.length > 0) add(rule.cssRules);
				if (rule.style?.interactivity) inert = true;
				if (!rule.style?.content) continue;
				if (rule.selectorText?.includes("::part")) throw rule;
				for (let r = rule; r; r = r.parentRule) if (r !== rule && r instanceof CSSStyleRule || !(r instanceof CSSStyleRule || plainGroup.some(g => r instanceof g))) throw r;
				selectors.push(rule.selectorText.replace(/::(before|after)/g, ":is(*)"));
			}
		};
		try {
			for (const sheet of [...page.styleSheets, ...page.adoptedStyleSheets]) add(sheet.cssRules);
			inertStyles = inert;
			return new Set(selectors.length > 0 ? page.querySelectorAll(selectors.join()) : none);
		} catch {
			return null; // a sheet of another site, or a rule whose elements a selector does not tell
		}
	};
	// The rules whose selectors are those of the rules in them.
	const plainGroup = [CSSMediaRule, CSSSupportsRule, CSSLayerBlockRule, CSSContainerRule, CSSStartingStyleRule, CSSImportRule];
	const measure = n => {
		if (n.nodeType !== 3) return n.getBoundingClientRect();
		const range = page.createRange();
		range.selectNodeContents(n);
		return range.getBoundingClientRect();
	};
	// boxOf is the box of an element or a text in the viewport.
	const boxOf = n => {
		let box = boxes.get(n);
		if (box === undefined) boxes.set(n, box = measure(n));
		return box;
	};

	// topModal is the modal dialog over everything else; null for none.
	const topModal = () => {
		const open = [...page.querySelectorAll("dialog:modal")];
		return open.find(m => m.contains(page.activeElement) && !open.some(o => o !== m && m.contains(o))) ?? open.at(-1) ?? null;
	};

	// The flat tree.
	const rootOf = e => closed.get(e) ?? (e.shadowRoot instanceof ShadowRoot ? e.shadowRoot : null);
	const childrenOf = e => {
		const root = rootOf(e);
		if (root) {
			roots.add(root);
			if (root.styleSheets.length + root.adoptedStyleSheets.length > 0) wearers = null, inertStyles = true;
			return root.childNodes;
		}
		if (e.localName === "slot" && e instanceof HTMLSlotElement && e.getRootNode() instanceof ShadowRoot) {
			const assigned = e.assignedNodes();
			if (assigned.length > 0) return assigned;
		}
		return e.childNodes;
	};
	const parentOf = n => {
		// A field of a form may have one of these names, which then hides the property.
		const of = (type, name) => n instanceof HTMLFormElement ? Reflect.get(type.prototype, name, n) : n[name];
		const up = of(Node, "parentNode");
		return of(Element, "assignedSlot") ?? of(Node, "parentElement") ?? (up instanceof ShadowRoot ? up.host : null);
	};

	const svg = "http://www.w3.org/2000/svg";
	const isHTML = e => e.namespaceURI === "http://www.w3.org/1999/xhtml";
	const attr = (e, name) => e.getAttribute(name) ?? "";
	const trim = text => text.replace(/[ \t\n\r\f]+/g, " ").replace(/^ | $/g, "");
	// scopeOf is the document or shadow root that an element is in.
	const scopeOf = e => {
		const root = e.getRootNode();
		return root === document ? page : root;
	};
	const refs = (e, name) => {
		const ids = attr(e, name).split(/\s+/), out = [], root = scopeOf(e);
		for (const id of ids) {
			const found = id && root.getElementById?.(id);
			if (found) out.push(found);
		}
		return out;
	};

	// Roles: https://w3c.github.io/html-aam/#html-element-role-mappings
	const inputRoles = {
		button: "button", checkbox: "checkbox", color: "colorbox", email: "textbox", file: "button", image: "button", number: "spinbutton", password: "textbox",
		radio: "radio", range: "slider", date: "datebox", "datetime-local": "datebox", month: "datebox", week: "datebox", time: "timebox", reset: "button", search: "searchbox", submit: "button", tel: "textbox", text: "textbox", url: "textbox",
	};
	const sectionRoles = words("article complementary navigation region section"), landmarks = new Set([...sectionRoles, "main"]);
	const sectioning = "article, aside, main, nav, section, [role=article], [role=complementary], [role=main], [role=navigation], [role=region]";
	const tagRoles = {
		abbr: "abbr", address: "group", article: "article", audio: "audio", blockquote: "blockquote", br: "linebreak", canvas: "canvas",
		caption: "caption", code: "code", dd: "definition", del: "deletion", details: "group", dfn: "term", dialog: "dialog", dir: "list", dl: "descriptionlist", dt: "term",
		em: "emphasis", fieldset: "group", figcaption: "figcaption", figure: "figure", form: "form", h1: "heading", h2: "heading", h3: "heading", h4: "heading",
		h5: "heading", h6: "heading", hgroup: "group", hr: "separator", iframe: "iframe", frame: "iframe", img: "image", ins: "insertion", label: "label", legend: "legend", li: "listitem",
		main: "main", mark: "mark", menu: "list", meter: "meter", nav: "navigation", ol: "list", optgroup: "group", option: "option", output: "status", p: "paragraph",
		pre: "pre", progress: "progressbar", ruby: "ruby", rt: "rubyannotation", search: "search", strong: "strong", sub: "subscript", sup: "superscript", svg: "image",
		textarea: "textbox", time: "time", ul: "list", video: "video", s: "deletion",
	};
	const inSection = (e, roles) => {
		let section = e;
		do section = section.parentElement?.closest(sectioning); while (section && !roles.has(roleOf(section)));
		return Boolean(section);
	};
	// What is drawn has a role if something says what it is: https://w3c.github.io/svg-aam/#mapping_role_table
	const shapes = words("circle ellipse line path polygon polyline rect");
	const drawingRole = e => {
		const tag = e.localName;
		if (tag === "svg" && e.ownerSVGElement === null) return "image";
		if (tag === "a" && (e.hasAttribute("href") || e.hasAttribute("xlink:href"))) return "link";
		const told = isGiven(e) || nativeName(e, "", new Set()) !== "";
		switch (tag) {
		case "svg": case "foreignObject": return told ? "group" : "generic";
		case "g": return told || focusable(e) ? "group" : "generic";
		case "use": return told ? "graphics-object" : "generic";
		case "image": return told ? "image" : "generic";
		}
		return shapes.has(tag) && (told || e.querySelector(":scope > desc")) ? "graphics-symbol" : "generic";
	};
	const nativeRole = e => {
		const tag = e.localName;
		if (!isHTML(e)) return drawingRole(e);
		switch (tag) {
		case "div": return says(e, "draggable") && !inline(e) ? "group" : "generic"; // as Chromium has it
		case "span": case "body": case "html": return "generic";
		case "a": case "area": return e.hasAttribute("href") || listening.has(e) ? "link" : "generic";
		case "button": return "button";
		case "input": {
			if (e.type === "hidden") return null;
			const role = inputRoles[e.type] ?? "textbox";
			return e.hasAttribute("list") && e.list && (role === "textbox" || role === "searchbox") ? "combobox" : role;
		}
		case "select": return e.multiple || e.size > 1 ? "listbox" : "combobox";
		case "summary": return e.parentElement?.localName === "details" && e.parentElement.querySelector(":scope > summary") === e ? "button" : "generic";
		case "header": return inSection(e, landmarks) ? "sectionheader" : "banner";
		case "footer": return inSection(e, landmarks) ? "sectionfooter" : "contentinfo";
		case "aside": return inSection(e, sectionRoles) && !named(e) ? "generic" : "complementary";
		case "section": return named(e) ? "region" : "section";
		case "label": {
			const control = unseenControl(e);
			return control ? roleOf(control) : "label";
		}
		case "img": return e.getAttribute("alt") === "" && !e.hasAttribute("aria-label") && !e.hasAttribute("aria-labelledby") ? "none" : "image";
		case "li": return !e.parentElement?.hasAttribute("role") || !lists.has(e.parentElement.localName) || roleOf(e.parentElement) === "list" ? "listitem" : "none";
		case "table": return isData(e) ? "table" : "layouttable";
		case "thead": case "tbody": case "tfoot": return tableRoles.has(roleOfTable(e)) ? "rowgroup" : "none";
		case "tr": case "td": case "th": return tablePart(e);
		}
		return tagRoles[tag] ?? "generic";
	};
	const lists = words("ul ol menu dir");
	// isGiven reports whether an author names an element by attributes of ARIA, once for each reading. What names it may
	// lead back to it, or to others that are named, so within that their attributes are enough.
	let naming = false;
	const isGiven = e => {
		if (naming) return e.hasAttribute("aria-label") || labelledBy(e).length > 0;
		let is = given.get(e);
		if (is === undefined) {
			naming = true;
			try { given.set(e, is = nameGiven(e) !== "") } finally { naming = false }
		}
		return is;
	};
	const named = e => isGiven(e) || attr(e, "title").trim() !== "";
	const tableRoles = words("table grid treegrid layouttable");
	const roleOfTable = e => {
		const table = e.closest("table");
		return table ? roleOf(table) : "generic";
	};
	const tablePart = e => {
		const of = roleOfTable(e);
		switch (of) {
		case "layouttable": return e.localName === "tr" ? "layouttablerow" : "layouttablecell";
		case "grid": case "treegrid": if (e.localName === "td") return "gridcell"; break;
		case "table": break;
		default: return e.localName === "tr" && of !== "none" ? "none" : "generic";
		}
		return {tr: "row", td: "cell"}[e.localName] ?? headerRole(e);
	};
	// https://html.spec.whatwg.org/multipage/tables.html#header-and-data-cell-semantics
	const headerRole = e => {
		const scope = attr(e, "scope").toLowerCase();
		if (scope === "row" || scope === "rowgroup") return "rowheader";
		if (scope === "col" || scope === "colgroup") return "columnheader";
		const row = e.parentElement;
		if (row?.parentElement?.localName === "thead") return "columnheader";
		if (e.previousElementSibling?.localName === "th" && e.nextElementSibling?.localName === "th") return "columnheader";
		return [...row?.cells ?? none].some(c => c.localName === "td" && c.firstChild) ? "rowheader" : "columnheader";
	};

	// isData is Chromium's guess whether a table has data or only arranges its cells (AXNodeObject::IsDataTable).
	const isData = table => {
		let is = tables.get(table);
		if (is === undefined) tables.set(table, is = guessData(table));
		return is;
	};
	// tablesAreAs reports whether the guesses of a reading still hold. One that does not changes all cells of its table.
	const tablesAreAs = before => {
		for (const [table, was] of before) {
			if (!table.isConnected) before.delete(table);
			else if (guessData(table) !== was) return false;
		}
		return true;
	};
	const hasBorder = (e, side) => parseFloat(declared(e)["border" + side + "Width"]) > 0;
	// hasCollapsed reports whether a cell has a border on a side that it may share with what is around it and beside it:
	// https://drafts.csswg.org/css-tables/#border-conflict-resolution-algorithm
	const opposite = {Top: "Bottom", Bottom: "Top", Left: "Right", Right: "Left"};
	const hasCollapsed = (cell, side) => {
		const beside = e => side === "Top" || side === "Left" ? e.previousElementSibling : e.nextElementSibling;
		const upright = side === "Top" || side === "Bottom", row = cell.parentElement;
		if (hasBorder(cell, side)) return true;
		if (!upright) {
			const next = beside(cell);
			if (next !== null) return hasBorder(next, opposite[side]);
		}
		if (hasBorder(row, side)) return true;
		const next = upright ? beside(row) : null;
		if (next !== null) return hasBorder(next, opposite[side]) || next.cells?.[cell.cellIndex] !== undefined && hasBorder(next.cells[cell.cellIndex], opposite[side]);
		const group = row.parentElement;
		return hasBorder(group, side) || (!upright || beside(group)?.rows === undefined) && hasBorder(cell.closest("table"), side);
	};
	const guessData = table => {
		if (table.hasAttribute("role") || table.isContentEditable) return true;
		if (table.summary || table.tHead || table.tFoot || table.caption || attr(table, "rules")) return true;
		if (table.querySelector(":scope > col, :scope > colgroup")) return true;
		const rows = table.rows;
		if (rows.length >= 20) return true;
		if (rows.length === 0 || rows.length === 1 && rows[0].cells.length === 1) return false;
		const style = declared(table), spaced = !/^0px|\s0px/.test(style.borderSpacing), ground = style.backgroundColor;
		const clear = color => color === "rgba(0, 0, 0, 0)", collapsed = style.borderCollapse === "collapse";
		let valid = 0, bordered = 0, different = 0;
		const sides = {Top: 0, Bottom: 0, Left: 0, Right: 0}, stripes = [];
		for (const row of rows) {
			for (const cell of row.cells) {
				const box = cell.getBoundingClientRect();
				if (box.width <= 1 || box.height <= 1) continue;
				valid++;
				if (cell.localName === "th" || cell.headers || cell.abbr || attr(cell, "axis") || attr(cell, "scope")) return true;
				const s = declared(cell);
				if (s.emptyCells === "hide") return true;
				const has = collapsed ? side => hasCollapsed(cell, side) : side => hasBorder(cell, side);
				if (has("Top") && has("Bottom") || has("Left") && has("Right")) bordered++;
				for (const side in sides) if (has(side)) sides[side]++;
				if (spaced && s.backgroundColor !== ground && !clear(s.backgroundColor)) different++;
				if (bordered >= 10 || different >= 10) return true;
			}
			if (stripes.length < 5) stripes.push(declared(row).backgroundColor);
		}
		if (valid <= 1) return false;
		const half = Math.floor(valid / 2);
		if (bordered >= half || Object.values(sides).some(n => n >= half) || different >= half) return true;
		return stripes.length > 2 && stripes.every((color, i) => (color === stripes[0]) === (i % 2 === 0));
	};

	// https://w3c.github.io/aria/#document-handling_author-errors_roles
	const globals = ["aria-atomic", "aria-busy", "aria-controls", "aria-current", "aria-describedby", "aria-description", "aria-details", "aria-dropeffect",
		"aria-flowto", "aria-grabbed", "aria-keyshortcuts", "aria-label", "aria-labelledby", "aria-labeledby", "aria-live", "aria-owns", "aria-relevant", "aria-roledescription"];
	const isNative = words("button input select textarea summary");
	const focusable = e => {
		const tag = e.localName;
		if (e.hasAttribute("tabindex") && !Number.isNaN(parseInt(e.getAttribute("tabindex")))) return !e.disabled;
		if (isNative.has(tag) && isHTML(e)) return !e.matches(":disabled") && (tag !== "summary" || nativeRole(e) === "button") && e.type !== "hidden";
		if (tag === "a") return e.hasAttribute("href") || !isHTML(e) && e.hasAttribute("xlink:href");
		return isEditor(e) || tag === "dialog" && e.open || drawnText(e) !== null;
	};
	// isEditor reports whether an element, or the document as whose body it is, was made one whose content people edit:
	// https://html.spec.whatwg.org/multipage/interaction.html#making-entire-documents-editable:-the-designmode-idl-attribute
	const isEditor = e => (e.hasAttribute("contenteditable") || e.localName === "body" && page.designMode === "on") && e.isContentEditable;
	// The text of an element that the page draws itself and edits through an EditContext: https://w3c.github.io/edit-context/
	const drawnText = e => typeof e.editContext?.text === "string" ? e.editContext.text : null;
	const owners = {listitem: "list", row: "table grid treegrid rowgroup", cell: "row", gridcell: "row", columnheader: "row", rowheader: "row", rowgroup: "table grid treegrid"};
	// Without their context these roles mean nothing: https://w3c.github.io/aria/#scope
	const contexts = {option: words("listbox group"), treeitem: words("tree treeitem group"), listitem: words("list group")};
	const transparent = words("generic none text");
	const grids = words("grid treegrid");
	const inContext = (e, roles) => {
		for (let p = owner.get(e) ?? parentOf(e); p; p = owner.get(p) ?? parentOf(p)) {
			const role = roleOf(p);
			if (roles.has(role)) return true;
			if (!transparent.has(role)) return false;
		}
		return false;
	};
	const roleOf = e => {
		const asked = e.getAttribute("role");
		if (e.localName === "iframe") return "iframe";
		if (asked === null) {
			const role = nativeRole(e);
			return owners[role] && plainParent(e, role) ? "none" : role;
		}
		for (const token of asked.trim().toLowerCase().split(/\s+/)) {
			if (!knownRoles.has(token) && !/^(doc|graphics)-[a-z]+$/.test(token)) continue;
			switch (token) {
			case "option": case "treeitem": case "listitem":
				if (!inContext(e, contexts[token])) continue;
				break;
			case "cell": {
				const table = e.closest("table, [role=table], [role=grid], [role=treegrid]");
				if (table && grids.has(roleOf(table))) return "gridcell";
				break;
			}
			case "none": case "presentation":
				if (focusable(e) || globals.some(name => e.hasAttribute(name))) return nativeRole(e);
				return "none";
			case "img": return "image";
			case "directory": return "list";
			case "region": case "form":
				if (!named(e)) continue;
			}
			return token;
		}
		return nativeRole(e);
	};
	// An element that a presentational parent requires is presentational too: https://w3c.github.io/aria/#presentational-role-inheritance
	const plainParent = (e, role) => {
		for (let p = e.parentElement; p; p = p.parentElement) {
			const asked = p.getAttribute("role");
			if (asked !== null) return (asked === "none" || asked === "presentation") && roleOf(p) === "none" && owners[role].split(" ").includes(nativeRole(p));
			if (!owners[nativeRole(p)]) return false;
		}
		return false;
	};

	// Names: https://w3c.github.io/accname/#computation-steps
	// edits reports whether an element is the outermost one whose content people edit: that is its value, and no name.
	const edits = e => e.isContentEditable && !e.parentElement?.isContentEditable;
	const fromContent = words("button cell checkbox columnheader gridcell heading link menuitem menuitemcheckbox menuitemradio option radio " +
		"rowheader switch tab term tooltip treeitem caption math doc-backlink doc-biblioref doc-glossref doc-noteref doc-subtitle graphics-object");
	// What has one of these roles contributes its name to that of an element around it, and not its content, as Chromium has
	// it (AXObject::SupportsNameFromContents); unless the author refers to what is around it.
	const apart = words("alert alertdialog application article banner blockquote combobox comment complementary contentinfo dialog document feed figure form " +
		"grid group image listbox log main marquee menu menubar navigation note progressbar radiogroup row rowgroup search sectionfooter sectionheader " +
		"separator status suggestion table tablist tabpanel timer toolbar tree treegrid graphics-document graphics-symbol");
	const isApart = (e, role) => {
		if (role.startsWith("doc-")) return !fromContent.has(role);
		return apart.has(role) && (e.hasAttribute("role") || !/^(address|details|footer|svg|tbody|tfoot|thead)$/.test(e.localName));
	};
	const unnamed = words("generic paragraph emphasis strong code insertion deletion subscript superscript mark");
	const fieldRoles = words("textbox searchbox spinbutton slider combobox listbox");
	// labelsOf is e.labels, which looks through the whole tree each time.
	const labelsOf = e => {
		const root = scopeOf(e);
		let known = labelled.get(root);
		if (known === undefined) {
			labelled.set(root, known = new Map());
			for (const label of root.querySelectorAll("label")) {
				const control = label.control;
				if (control) known.set(control, [...known.get(control) ?? none, label]);
			}
		}
		return known.get(e) ?? none;
	};
	const isInner = e => {
		let depth = 0;
		for (let q = e.parentElement?.closest("q"); q; q = q.parentElement?.closest("q")) depth++;
		return depth % 2 === 1;
	};
	const pseudo = (e, which) => {
		if (wearers !== null && !wearers.has(e) && e.localName !== "q") return "";
		const style = styleOf(e, which), content = style.content;
		if (content === "none" || content === "normal" || content === "" || style.display === "none") return "";
		if (content === "open-quote") return isInner(e) ? "‘" : "“";
		if (content === "close-quote") return isInner(e) ? "’" : "”";
		let out = "";
		const alternative = content.match(/\s\/\s*((?:"(?:[^"\\]|\\.)*"\s*)+)$/);
		const apart = alternative || style.display !== "inline" ? " " : "";
		for (const m of (alternative ? alternative[1] : content).matchAll(/"((?:[^"\\]|\\.)*)"|attr\(([^)]*)\)/g)) {
			out += m[2] !== undefined ? attr(e, m[2].trim()) : m[1].replace(/\\(["\\])/g, "$1");
		}
		return apart + out + apart;
	};
	const hiddenStyle = e => {
		const style = styleOf(e);
		return style.display === "none" || style.visibility !== "visible";
	};
	// unseenControl is the checkbox, radio button or field for files that nobody sees, so that its label is all there is of
	// it; null for another element.
	const unseenControl = e => {
		const control = e.localName === "label" ? e.control : null;
		return control?.localName === "input" && ["checkbox", "radio", "file"].includes(control.type) && hiddenStyle(control) ? control : null;
	};
	// isHidden reports whether nothing of an element shows, be it for what it is in.
	const isHidden = e => hiddenStyle(e) || styleOf(e).display !== "contents" && !e.checkVisibility();
	// Texts flow through what is inline, and only that.
	const inline = e => {
		const display = styleOf(e).display;
		return display === "inline" || display === "contents" || display === "";
	};

	// labelledBy are the elements that an author names an element by. Chromium takes the other spelling as well.
	const isInert = e => e.closest("[inert]") !== null || inertStyles && styleOf(e).interactivity === "inert";
	const labelledBy = e => e.hasAttribute("aria-labelledby") ? refs(e, "aria-labelledby") : e.hasAttribute("aria-labeledby") ? refs(e, "aria-labeledby") : none;
	// labelOf is the name that an author gives to an element itself; a slot has none.
	const labelOf = e => e.localName === "slot" ? "" : attr(e, "aria-label").trim();
	// nameGiven is the name that an author gives to an element by attributes of ARIA.
	const nameGiven = e => {
		const parts = labelledBy(e);
		return parts.length > 0 && trim(parts.map(p => p === e ? ownText(e) : isInert(p) ? "" : part(p, new Set(), true)).join(" ")) || trim(labelOf(e));
	};
	const nameOf = (e, role) => {
		const given = nameGiven(e);
		if (given) return given;
		const native = nativeName(e, role, new Set());
		if (native) return native;
		if ((fromContent.has(role) || role === "layouttablecell" && focusable(e)) && !edits(e)) {
			const text = trim(contents(e, new Set(), false, false));
			if (text) return text;
		}
		return (!unnamed.has(role) || focusable(e)) && titleOf(e) || (fieldRoles.has(role) ? trim(attr(e, "placeholder") || attr(e, "aria-placeholder")) : "");
	};
	// titleOf is the title of an element, unless its text says the same.
	const titleOf = e => {
		const title = trim(attr(e, "title"));
		return title !== "" && title !== trim(e.textContent) ? title : "";
	};
	// https://w3c.github.io/html-aam/#accname-computation
	const cannotPlay = e => e.error !== null || e.networkState === HTMLMediaElement.NETWORK_EMPTY || e.networkState === HTMLMediaElement.NETWORK_NO_SOURCE;
	const nativeName = (e, role, seen) => {
		switch (e.localName) {
		case "input":
			if (/^(button|submit|reset|image)$/.test(e.type)) {
				const labels = labelsOf(e);
				if (labels.length > 0) return labelText(e, labels, seen);
				if (e.type === "image") return trim(attr(e, "alt")) || trim(attr(e, "value")) || trim(attr(e, "title")) || "Submit";
				return e.hasAttribute("value") ? trim(e.value) : {submit: "Submit", reset: "Reset"}[e.type] ?? "";
			}
			return labelText(e, labelsOf(e), seen) || (e.type === "file" ? e.multiple ? "Choose Files" : "Choose File" : "");
		case "select": case "textarea": case "meter": case "progress": case "output": case "button":
			return labelText(e, labelsOf(e), seen);
		case "img": case "area": return trim(attr(e, "alt"));
		case "fieldset": {
			const legend = e.querySelector(":scope > legend");
			return legend && !hiddenStyle(legend) ? trim(contents(legend, seen, false, false)) : "";
		}
		case "table": return e.caption ? trim(contents(e.caption, seen, false, false)) : trim(attr(e, "summary"));
		case "optgroup": case "option": return trim(attr(e, "label"));
		case "details": return "";
		case "iframe": return trim(attr(e, "title"));
		case "video": return cannotPlay(e) ? "Unable to play media." : "";
		}
		if (!isHTML(e)) {
			const title = e.querySelector(":scope > title");
			if (title) return trim(title.textContent);
			if (e.localName === "a") return trim(attr(e, "xlink:title"));
		}
		return "";
	};
	const labelText = (e, labels, seen) => {
		const met = new Set([...seen, e]); // of labels within each other the inner one is said once
		return trim(labels.map(l => part(l, met, false)).join(" "));
	};

	const ownText = e => labelOf(e) || contents(e, new Set([e]), false, true);
	// part is the text that an element contributes to the name of another (steps 2A to 2I).
	const part = (e, seen, referenced) => {
		if (seen.has(e)) return "";
		seen.add(e);
		const role = roleOf(e), value = embedded(e, role, seen);
		if (value !== null) return value;
		const label = labelOf(e);
		if (label) return label;
		if (!referenced || isHTML(e)) {
			const native = nativeName(e, role, seen);
			if (native) return native;
		}
		const text = contents(e, seen, referenced && isHidden(e), referenced);
		return text.trim() ? text : attr(e, "title");
	};
	// embedded is the value of a control within what names another (step 2C); null: it has none that counts.
	const embedded = (e, role, seen) => {
		if (e.localName === "select" && role !== "menu") return Array.from(e.selectedOptions, labelOfOption).join(" ");
		switch (role) {
		case "combobox": case "listbox": {
			if (e.localName === "input") return valueOf(e, role) || null;
			const chosen = [e, ...owned.get(e) ?? none].flatMap(n => [...n.querySelectorAll("[role=option][aria-selected=true]")]).filter(o => !seen.has(o));
			for (const o of chosen) seen.add(o); // those within others, too: each is said once
			if (chosen.length > 0) return chosen.map(o => trim(contents(o, seen, false, false))).join(" ");
			return role === "combobox" && focusable(e) ? e.textContent : null;
		}
		case "textbox": case "searchbox": return "value" in e ? valueOf(e, role) || null : e.textContent;
		case "separator": return null;
		}
		return rangeRoles.has(role) ? attr(e, "aria-valuetext") || valueOf(e, role) || null : null;
	};
	// contents is the text of the content of an element (step 2F), with spaces around what is not inline. referenced says
	// whether the author refers to it, or to what it is in, and hidden whether that is hidden.
	const contents = (e, seen, hidden, referenced) => {
		let out = hidden ? "" : pseudo(e, "::before");
		for (const n of flatOf(e)) {
			if (n.nodeType === 3) {
				if (hidden || styleOf(n.parentElement ?? n.parentNode.host).visibility === "visible") out += rendered(n, n.parentElement ?? n.parentNode.host);
				continue;
			}
			if (n.nodeType !== 1 || hiddenTags.has(n.localName)) continue;
			if (n.localName === "br") { out += " "; continue }
			if (!hidden && (styleOf(n).display === "none" || says(n, "aria-hidden"))) continue;
			const text = seen.has(n) ? "" : within(n, seen, hidden, referenced);
			out += !inline(n) || leaves.has(n.localName) ? " " + text + " " : text;
		}
		return out + (hidden ? "" : pseudo(e, "::after"));
	};
	const within = (n, seen, hidden, referenced) => {
		const role = roleOf(n), shows = hidden || styleOf(n).visibility === "visible", value = shows ? embedded(n, role, seen) : null;
		if (value !== null) return value;
		// What was referred to is not said once more where it is.
		const parts = referenced ? none : labelledBy(n).map(p => {
			seen.delete(p);
			return part(p, seen, true);
		});
		if (parts.some(text => text.trim())) return parts.join(" ");
		seen.add(n);
		const label = labelOf(n);
		if (label) return label;
		if (!shows) return contents(n, seen, hidden, referenced);
		const native = nativeName(n, role, seen);
		if (native) return native;
		const text = referenced || role === null || !isApart(n, role) ? contents(n, seen, hidden, referenced) : "";
		return text.trim() || role === "none" ? text : attr(n, "title") || text;
	};

	// https://w3c.github.io/accname/#mapping_additional_nd_description
	// https://w3c.github.io/svg-aam/#mapping_additional_nd
	const describedBySVG = (e, name) => {
		const told = ["desc", "title"].map(tag => trim(e.querySelector(":scope > " + tag)?.textContent ?? ""));
		return [...told, trim(attr(e, "xlink:title"))].find(text => text !== "" && text !== name) ?? "";
	};
	const descriptionOf = (e, name) => {
		const parts = e.hasAttribute("aria-describedby") ? refs(e, "aria-describedby") : none;
		const text = parts.length > 0 ? trim(parts.map(p => part(p, new Set(), true)).join(" ")) : trim(attr(e, "aria-description")) ||
			(isHTML(e) ? trim(attr(e, "title")) : describedBySVG(e, name));
		return text === name ? "" : text;
	};

	// rendered is the text of a node as it is shown.
	const rendered = (n, parent) => {
		let text = shown.get(n);
		if (text === undefined) shown.set(n, text = render(n, styleOf(parent), parent));
		return text;
	};
	const render = (n, style, parent) => {
		let text = n.data;
		if (/[\t\n\r\f]|  /.test(text) && style.whiteSpaceCollapse !== "preserve" && style.whiteSpaceCollapse !== "break-spaces") text = text.replace(/[\t\n\r\f ]+/g, " ");
		switch (style.textTransform) {
		case "uppercase": return text.toLocaleUpperCase(parent.closest("[lang]")?.lang || undefined);
		case "lowercase": return text.toLowerCase();
		case "capitalize": return text.replace(/(^|[^\p{L}\p{N}'’])(\p{L})/gu, (m, before, letter) => before + letter.toUpperCase());
		}
		return text;
	};

	// A label without text counts for nothing.
	const labelOfOption = o => o.label || o.text;
	// Values: what a control holds.
	const valueOf = (e, role) => {
		switch (e.localName) {
		case "input":
			switch (e.type) {
			case "checkbox": case "radio": case "button": case "submit": case "reset": case "image": case "hidden": return "";
			case "password": return "•".repeat(e.value.length);
			case "file": return e.files.length === 0 ? "No file chosen" : e.files.length === 1 ? e.files[0].name : e.files.length + " files";
			case "range": case "number": return e.value === "" ? "" : String(Number(e.value));
			}
			return e.value; // what a person sees: where it is said to be a spinbutton, Chromium has its aria-valuenow
		case "textarea": return e.value;
		case "select": return role === "combobox" && e.selectedOptions.length > 0 ? labelOfOption(e.selectedOptions[0]).trim() : "";
		case "meter": case "progress": return e.localName === "progress" && !e.hasAttribute("value") ? "" : String(Math.fround(e.value));
		}
		if (rangeRoles.has(role)) return rangeOf(e, role);
		const text = drawnText(e);
		if (text !== null) return text;
		return editing(e) || role === "combobox" && focusable(e) || role === "textbox" || role === "searchbox" ? e.innerText ?? e.textContent : "";
	};
	// https://w3c.github.io/aria/#authorErrorDefaultValuesTable
	const rangeOf = (e, role) => {
		const now = e.getAttribute("aria-valuenow");
		if (now !== null) return String(parseFloat(now) || 0);
		switch (role) {
		case "separator": if (!focusable(e)) return ""; // falls through
		case "slider": case "scrollbar": {
			const least = parseFloat(attr(e, "aria-valuemin")) || 0, most = parseFloat(attr(e, "aria-valuemax") || 100);
			return String((least + most) / 2);
		}
		case "progressbar": return "";
		}
		return "0";
	};
	const rangeRoles = words("slider spinbutton progressbar meter scrollbar separator");
	const editing = e => isEditor(e) && (e.localName === "body" || !e.parentElement?.isContentEditable);

	// States, as they are written.
	const checkedOf = (e, role) => {
		if (e.localName === "input" && (e.type === "checkbox" || e.type === "radio")) return e.indeterminate && e.type === "checkbox" ? "mixed" : e.checked ? "true" : "false";
		const said = attr(e, "aria-checked");
		switch (role) {
		case "checkbox": case "menuitemcheckbox": return said === "true" || said === "mixed" ? said : "false";
		case "radio": case "switch": case "menuitemradio": return said === "true" ? "true" : "false";
		case "option": case "treeitem": return said;
		}
		return "";
	};
	const says = (e, name) => e.getAttribute(name) === "true";
	const isDisabled = e => e.localName === "video" && cannotPlay(e) || !/^(fieldset|optgroup)$/.test(e.localName) && e.matches(":disabled") || focusable(e) && e.closest("[aria-disabled=true]") !== null || says(e, "aria-disabled");
	const requirable = words("columnheader combobox gridcell listbox radiogroup rowheader spinbutton textbox tree");
	const cells = words("gridcell columnheader rowheader");
	const isFixed = (e, role) => {
		switch (role) {
		case "searchbox": return e.readOnly === true;
		case "grid": case "textbox": case "treegrid": return e.readOnly === true || says(e, "aria-readonly");
		}
		const grid = cells.has(role) ? e.closest("[role=grid], [role=treegrid]") : null;
		return grid !== null && says(e.hasAttribute("aria-readonly") ? e : grid, "aria-readonly");
	};
	const statesOf = (e, role, focused) => {
		const out = [];
		const checked = checkedOf(e, role);
		if (checked === "true") out.push("checked");
		else if (checked === "mixed") out.push("checked=mixed");
		else if (checked === "false" && (role === "checkbox" || role === "radio" || role === "switch")) out.push("not checked");
		if (role === "button" && e.hasAttribute("aria-pressed")) {
			const pressed = e.getAttribute("aria-pressed");
			if (pressed === "true") out.push("pressed");
			if (pressed === "mixed") out.push("pressed=mixed");
		}
		const expanded = expandedOf(e, role);
		if (expanded) out.push(expanded === "true" ? "expanded" : "collapsed");
		if (isDisabled(e)) out.push("disabled");
		if (focused) out.push("focused");
		if (selectedOf(e, role)) out.push("selected");
		if (requirable.has(role) && (e.localName !== "select" || role === "listbox") && (e.required === true || says(e, "aria-required"))) out.push("required");
		if (isFixed(e, role)) out.push("readonly");
		if ((role === "dialog" || role === "alertdialog") && (e.localName === "dialog" && e.matches(":modal") || says(e, "aria-modal"))) out.push("modal");
		if (says(e, "aria-busy")) out.push("busy");
		if (editable.has(role) && e.isContentEditable && focusable(e)) out.push("editable");
		const invalid = attr(e, "aria-invalid");
		if (invalid ? invalid !== "false" : e.willValidate === true && isWrong(e)) out.push("invalid");
		const sort = role === "columnheader" || role === "rowheader" ? attr(e, "aria-sort") : "";
		if (/^(ascending|descending|other)$/.test(sort)) out.push("sort=" + sort);
		if (spanning.has(role)) for (const span of ["colSpan", "rowSpan"]) if (spanOf(e, span) > 1) out.push(span.toLowerCase() + "=" + spanOf(e, span));
		if (role === "heading" || role === "treeitem") {
			const level = levelOf(e, role);
			if (level) out.push("level=" + level);
		}
		return out.join("\n");
	};
	// How many columns or rows a cell takes, without which nobody can tell what the cells after it belong to.
	const spanning = words("cell gridcell columnheader rowheader");
	const spanOf = (e, what) => e instanceof HTMLTableCellElement ? e[what] : parseInt(attr(e, "aria-" + what.toLowerCase()));
	// The roles that do not say that text can be typed.
	const editable = words("generic paragraph heading listitem cell gridcell group region article blockquote code");
	// An empty field is not wrong yet.
	const isWrong = e => !e.validity.valid && !(e.validity.valueMissing && (e.localName === "textarea" || e.localName === "input" && !/^(checkbox|radio|file|date|datetime-local|month|week|time)$/.test(e.type)));
	const expandedOf = (e, role) => {
		if (e.localName === "summary" && nativeRole(e) === "button") return String(e.parentElement.open);
		if (e.localName === "select" && role === "combobox") return String(e.matches(":open"));
		if (e.popoverTargetElement) return String(e.popoverTargetElement.matches(":popover-open"));
		if (e.commandForElement && /-popover$/.test(e.command)) return String(e.commandForElement.matches(":popover-open"));
		const said = expandable.has(role) ? attr(e, "aria-expanded") : "";
		return said === "true" || said === "false" ? said : "";
	};
	const expandable = words("application button checkbox columnheader combobox gridcell link listitem menuitem menuitemcheckbox menuitemradio row rowheader " +
		"switch tab treeitem");
	const selectable = words("option tab gridcell row treeitem columnheader rowheader cell");
	const selectedOf = (e, role) => {
		if (e.localName === "option" && e instanceof HTMLOptionElement) return e.selected && !e.matches(":disabled, :disabled *");
		if (e.hasAttribute("aria-selected")) return selectable.has(role) && says(e, "aria-selected");
		return false;
	};
	const levelOf = (e, role) => {
		const said = parseInt(attr(e, "aria-level"));
		if (said >= 1) return said;
		if (role === "heading") return /^h[1-6]$/.test(e.localName) ? Number(e.localName[1]) : 2;
		let level = 1;
		for (let p = e.parentElement; p && p.getAttribute("role") !== "tree"; p = p.parentElement) if (p.getAttribute("role") === "group") level++;
		return level;
	};

	// isMute reports whether a text says nothing: it has white space, and the characters with which fonts draw icons. One
	// that is wordless has at most numbers and signs as well.
	const isMute = text => text === "" || text.length < 100 && !/[^\s\p{Co}]/u.test(text);
	const isWordless = text => text.length < 100 && !/\p{L}/u.test(text);

	// hintOf is what the author calls a control that says nothing, as one that only has an icon: in an attribute from which
	// scripts make a tooltip or know what to do, or by the name of the icon; else "". Of a cell that says nothing, and of a
	// control that only says a number, it is the name of the icon.
	const tooltips = ["data-tooltip", "data-tip", "data-tips", "data-title", "data-original-title", "data-bs-original-title", "data-bs-title", "data-label"];
	const icons = ["data-icon", "data-lucide", "data-feather", "uk-icon", "icon"];
	const callers = ["data-action", "data-testid", ...icons, "name"];
	const byProgram = /\d{3}|^(css|sc|jss|svelte|ng|radix|headlessui|mui|ext|yui|gwt|ember|react-aria)[-_]|^[_:]/;
	const isHint = text => text.length <= 40 && /[a-z]{2}/i.test(text) && /^[\w .+-]+$/.test(text) && !byProgram.test(text);
	const drawsIcon = new RegExp("icon|^(fa|mdi|bi|ti|ri|la|bx|pi|lucide|feather|tabler|glyph)[a-z]*-|(^|[-_])(add|arrow|back|bold|cart|check|checked|checkmark|clear|close|collapse|copy|cross|delete|download|edit|expand|filter|" +
		"forward|fullscreen|gear|hamburger|heart|help|home|info|italic|like|menu|minus|more|mute|next|paste|pause|play|plus|prev|print|redo|refresh|remove|save|search|settings|share|sort|star|stop|" +
		"tick|times|toggle|trash|undo|upload|user|volume|warning|xmark|zoom)([-_]|$)", "i");
	const saysNothing = /(^|[-_])icons?$|^fa-(solid|regular|brands|light|thin|duotone|sharp|fw|lg|sm|xs|spin|pulse|inverse|stack.*|\d+x)$/;
	const fileOf = url => url.startsWith("data:") ? "" : url.split(/[?#]/, 1)[0].split("/").pop().replace(/\.\w+$/, "");
	const iconHints = [
		e => [e.localName === "use" ? (attr(e, "href") || attr(e, "xlink:href")).split("#")[1] ?? "" : e.localName === "img" ? fileOf(attr(e, "src")) : ""].find(isHint),
		e => [...e.classList].filter(token => isHint(token) && drawsIcon.test(token) && !saysNothing.test(token)).sort((a, b) => b.length - a.length)[0],
	];
	const pictureHint = e => [...`${declared(e).backgroundImage} ${declared(e).maskImage}`.matchAll(/url\("([^"]*)"\)/g)].map(found => fileOf(found[1]))
		.find(text => isHint(text) && drawsIcon.test(text));
	const hints = [
		e => tooltips.map(name => trim(attr(e, name))).find(text => text.length <= 60 && /\p{L}{2}/u.test(text)),
		e => callers.map(name => trim(attr(e, name))).find(isHint),
		...iconHints,
		e => [e.id].find(isHint),
		pictureHint,
	];
	const iconsOnly = [e => icons.map(name => trim(attr(e, name))).find(isHint), ...iconHints, pictureHint];
	// markOf is the icon that an item of a list begins with if it says yes or no; else "".
	const marks = /(^|[-_])(check|checked|checkmark|tick|times|cross|xmark|x|ban|minus)([-_]|$)/i;
	const markOf = e => {
		let n = e.firstElementChild;
		for (let i = 0; n !== null && i < 3 && !n.matches(acts); i++, n = n.firstElementChild) {
			const mark = iconHints.map(hint => hint(n)).find(text => text !== undefined);
			if (mark !== undefined && marks.test(mark)) return isDrawn(n) ? mark : "";
		}
		return "";
	};
	const isShown = e => e.checkVisibility({opacityProperty: true, visibilityProperty: true});
	const isDrawn = e => isShown(e) && boxOf(e).width > 0 && boxOf(e).height > 0;
	const isField = words("input select textarea"), isCell = words("cell gridcell columnheader rowheader");
	const acts = "a, button, input, select, textarea, [tabindex], [role=button], [contenteditable]";
	const hintOf = (e, own) => {
		const field = isField.has(e.localName), inside = own ? [e] : [];
		for (const root of field ? e.labels ?? [] : [e]) {
			const parts = page.createTreeWalker(root, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT);
			for (let n; n = parts.nextNode(); ) {
				if (n.nodeType === 1 ? inside.push(n) <= 12 && (own || !n.matches(acts)) : (own ? isMute : isWordless)(n.data)) continue;
				if (!field) return "";
				break;
			}
		}
		const counts = n => n === e || (own ? isShown : isDrawn)(n);
		for (const hint of own ? hints : iconsOnly) for (const n of inside) if (hint(n) !== undefined && counts(n)) return hint(n);
		return "";
	};

	// What is written of each node: its depth, its number, then indexes of strings, flags and its box in the viewport.
	const fields = 13, IGNORED = 1, FOCUSABLE = 2, FOCUSED = 4, CLICKABLE = 8, INLINE = 16, HANDLE = 32;
	const maxText = 100_000;
	const cut = text => text.length > maxText ? text.slice(0, maxText) : text;
	const emit = (depth, number, role, name, value, url, states, flags, box, description = "") => {
		list.push(depth, number, word(role), word(cut(name)), word(cut(value)), word(url), word(states), flags,
			Math.round(box.x), Math.round(box.y), Math.ceil(box.width), Math.ceil(box.height), word(cut(description)));
	};
	const nowhere = {x: 0, y: 0, width: 0, height: 0};

	const flatOf = e => {
		const children = childrenOf(e), more = owned.get(e);
		if (owner.size === 0) return children;
		const out = [];
		for (const n of children) if (!owner.has(n) || owner.get(n) === e) out.push(n);
		return more ? [...out.filter(n => !more.includes(n)), ...more] : out;
	};

	// https://w3c.github.io/aria/#aria-owns. Chromium lets nothing own elements that could not have them as children, or
	// is not in its tree itself (AXRelationCache::IsValidOwner): they stay where they are.
	const childless = words("select details br object embed");
	const canOwn = e => {
		for (let n = e; n; n = parentOf(n)) if (says(n, "aria-hidden") || n.inert) return false;
		if (leaves.has(e.localName) || childless.has(e.localName) || e.isContentEditable) return false;
		return e.checkVisibility() && styleOf(e).contentVisibility !== "hidden";
	};
	const findOwned = root => {
		for (const e of root.querySelectorAll("[aria-owns]")) {
			if (!canOwn(e)) continue;
			for (const n of refs(e, "aria-owns")) {
				if (owner.has(n) || n.contains(e)) continue;
				owner.set(n, e);
				owned.set(e, [...owned.get(e) ?? none, n]);
			}
		}
	};

	let focus = null;
	const focusIn = root => {
		let e = root.activeElement;
		for (let inner; e && (inner = rootOf(e)?.activeElement); e = inner);
		return e === page.body || e?.localName === "iframe" ? null : e;
	};

	// A label names its checkbox or radio button, which is clicked in its place.
	const redundant = parent => {
		const label = parent.closest("label"), control = label?.control;
		for (const e of label?.querySelectorAll("a, button, input, select, textarea, [tabindex]") ?? none) if (e !== control) return false;
		return control?.localName === "input" && (control.type === "checkbox" || control.type === "radio") && !hiddenStyle(control);
	};

	const text = (n, depth, parent, parentBox) => {
		if (styleOf(parent).visibility !== "visible" || redundant(parent) || parent.namespaceURI === svg && !parent.closest("text")) return;
		const text = rendered(n, parent);
		if (text === "") return;
		let box = parentBox;
		if (text.trim() === "") {
			if (/[\n\r]/.test(n.data) && !inline(parent) && (!n.previousSibling || !n.nextSibling)) return;
		} else if ((parentBox.height > 100 || parentBox.height === 0) && (everywhere || parentBox.y <= bottom)) {
			box = boxOf(n);
		}
		emit(depth, numberOfText(n), "text", text, "", "", "", 0, box);
	};

	// https://dom.spec.whatwg.org/#valid-shadow-host-name
	const hostNames = words("article aside blockquote body div footer h1 h2 h3 h4 h5 h6 header main nav p section span");
	// Only the script that made a closed shadow root can find it. Custom elements may have one, and so may elements that
	// take up room without content, or whose content is not rendered. They are asked for again when their size changes.
	const askForRoot = (e, box) => {
		if (rootOf(e)) return;
		if (hostNames.has(e.localName)) {
			const first = e.firstElementChild;
			if (first ? styleOf(first).display !== "" : e.firstChild || box.width === 0 || box.height === 0) return;
		}
		const size = box.width + " " + box.height;
		if (asked.get(e) === size) return;
		asked.set(e, size);
		hosts.push(numberOf(e));
	};

	const urlOf = e => {
		const drawn = e.href?.baseVal, url = drawn === undefined ? e.href ?? "" : URL.canParse(drawn, page.baseURI) ? new URL(drawn, page.baseURI).href : "";
		return /^[a-z][a-z0-9+.-]*:/i.test(url) ? url : "";
	};
	const leaves = words("input textarea iframe frame img progress meter hr audio video");
	// The fields of a form hide those of its properties that have their names.
	const elementsOf = Object.getOwnPropertyDescriptor(HTMLFormElement.prototype, "elements").get;
	const hides = form => [...elementsOf.call(form)].some(e => e.name && e.name in HTMLFormElement.prototype || e.id && e.id in HTMLFormElement.prototype) ||
		[...HTMLFormElement.prototype.querySelectorAll.call(form, "img")].some(e => e.name && e.name in HTMLFormElement.prototype || e.id && e.id in HTMLFormElement.prototype);
	// What is in the flow of an element below the viewport, or after one, is below the viewport too. Its box is not
	// measured, because that takes most of the time, unless all boxes are wanted.
	const stays = style => style.position === "static" || style.position === "relative";
	const inFlow = style => stays(style) && style.float === "none";
	const flows = e => {
		const style = styleOf(e);
		return (style.display === "block" || style.display === "list-item" || style.display === "flow-root") && style.columnCount === "auto" && style.columnWidth === "auto";
	};
	// Scripts that listen in one place for all that is below it show what they listen for by its pointer.
	const isPointed = (e, style) => style.cursor === "pointer" && e.localName !== "label" && e.parentElement !== null && styleOf(e.parentElement).cursor !== "pointer";
	const dragged = /^(grab|move|all-scroll|[a-z]+-resize)$/;
	const isHandle = (e, style) => dragged.test(style.cursor) && e.parentElement !== null && styleOf(e.parentElement).cursor !== style.cursor;
	// What shows nothing and has no area cannot be clicked, as the containers that libraries put at the end of a page for
	// menus that are not open.
	const isVoid = (n, unseen) => {
		if (n.nodeType !== 1) return unseen || n.nodeType !== 3 || n.data.trim() === "";
		if (!voids.has(n)) {
			const style = styleOf(n), hides = style.visibility !== "visible", isFlat = hides || boxOf(n).width * boxOf(n).height === 0;
			voids.set(n, style.display === "none" || isFlat && Array.prototype.every.call(flatOf(n), child => isVoid(child, hides)));
		}
		return voids.get(n);
	};
	// walk lists a node with its subtree, and returns its box.
	const walk = (n, depth, hidden, parent, parentBox, beyond) => {
		if (n instanceof HTMLFormElement && hides(n)) throw new Unreadable("form");
		if (n.nodeType === 3) {
			if (!hidden) text(n, depth, parent, parentBox);
			return;
		}
		if (n.nodeType !== 1 || hiddenTags.has(n.localName)) return;
		const visit = {n, depth, hidden, parent, parentBox, beyond, up, at: visits.length, size: 0, start: list.length / fields, rows: 0, own: 0, box: undefined, hides: hidden};
		visits.push(visit);
		up = visit;
		const deeper = own(visit);
		visit.own = list.length / fields - visit.start;
		if (deeper) below(n, depth + visit.own, visit.hides, visit.box, n.localName);
		up = visit.up;
		visit.size = visits.length - visit.at, visit.rows = list.length / fields - visit.start;
		return visit.box;
	};
	// own lists an element without what is below it, and returns whether that is listed.
	const own = visit => {
		const {n, depth, parentBox, beyond} = visit, tag = n.localName, style = styleOf(n);
		if (style.display === "none" || style.display === "") return false;
		if (tag === "br") {
			if (!visit.hides) emit(depth, 0, "linebreak", "", "", "", "", 0, nowhere);
			return false;
		}
		if (mayBeOpaque.has(tag) && n.matches(opaque)) throw new Unreadable(tag);
		const plain = n.attributes.length === 0;
		let role = roleOf(n);
		if (role === null) return false;
		if (role === "paragraph" && (style.display === "table" || style.display === "table-row")) role = "none"; // as Chromium does
		if (n === modal) visit.hides = false;
		if (!visit.hides && !plain) visit.hides = says(n, "aria-hidden") || n.inert;
		if (!visit.hides && inertStyles) visit.hides = style.interactivity === "inert";
		if (n.firstElementChild !== null && style.overflowY !== "visible") scrolling.add(n);
		const box = visit.box = style.display === "contents" ? parentBox : beyond !== null && stays(style) ? beyond : boxOf(n);
		if (visit.hides) return true;
		if (role === "canvas" && (box.width <= 1 || box.height <= 1)) role = "none";
		const ignored = role === "none" || style.visibility !== "visible";
		const focused = n === focus;
		const canFocus = !ignored && focusable(n);
		if (hostNames.has(tag) || tag.includes("-")) askForRoot(n, box);
		if (canFocus && tag.includes("-") && role === "generic") {
			if (semantic.get(tag)) throw new Unreadable(tag);
			if (!semantic.has(tag) && !customs.has(tag)) customs.set(tag, numberOf(n));
		}
		let flags = (ignored ? IGNORED : 0) | (canFocus ? FOCUSABLE : 0) | (focused ? FOCUSED : 0);
		const handle = isHandle(n, style);
		if (handle) flags |= HANDLE;
		const takesClicks = listening.has(n) || !plain && says(n, "draggable") || !canFocus && isPointed(n, style) || handle;
		if (takesClicks && (role !== "generic" && !ignored || !isVoid(n, false))) flags |= CLICKABLE;
		if (inline(n)) flags |= INLINE;
		if (drawnText(n) !== null) drawn.push(n);
		const bare = plain && !canFocus && (role === "generic" || role === "paragraph" || role === "list" || role === "listitem");
		const unseen = unseenControl(n), told = unseen ?? n;
		if (unseen) flags |= CLICKABLE;
		const name = bare || ignored ? "" : nameOf(told, role), value = bare || ignored ? "" : valueOf(told, role), described = plain || ignored ? "" : descriptionOf(n, name);
		let states = bare || ignored ? "" : statesOf(told, role, focused);
		const control = flags & (FOCUSABLE | CLICKABLE) && described === "", speaks = !isMute(name) || !isMute(value) && !isField.has(tag);
		const holds = n.firstElementChild !== null && (speaks ? control && isWordless(name + value) : isCell.has(role));
		const hint = control && !speaks ? hintOf(n, true) : holds ? hintOf(n, false) : role === "listitem" ? markOf(n) : "";
		if (hint !== "") states += (states && "\n") + "hint=" + hint;
		emit(depth, numberOf(n), role, name, value, role === "link" ? urlOf(n) : "", states, flags, box, described);
		return !leaves.has(tag) && style.contentVisibility !== "hidden";
	};
	const below = (n, depth, hidden, box, tag) => {
		if (tag === "select") {
			if (!hidden) options(n, depth, !n.multiple && n.size <= 1 && styleOf(n).visibility === "visible");
			return;
		}
		if (!hidden) around(n, depth, "::before", box);
		const closedDetails = tag === "details" && !n.open;
		let beyond = !everywhere && box.y > bottom && box.height > 0 ? box : null;
		for (const child of flatOf(n)) {
			if (closedDetails && child !== n.querySelector(":scope > summary")) continue;
			const at = walk(child, depth, hidden, n, box, beyond);
			if (beyond === null && !everywhere && at !== undefined && at.y > bottom && at.height > 0 && flows(n) && inFlow(styleOf(child))) beyond = at;
		}
		if (!hidden) around(n, depth, "::after", box);
	};
	const around = (n, depth, which, box) => {
		if (wearers !== null && !wearers.has(n) && n.localName !== "q") return;
		const content = styleOf(n).visibility === "visible" ? pseudo(n, which) : "";
		if (content !== "" && !redundant(n)) emit(depth, numberOf(n), "text", content, "", "", "", 0, box);
	};
	// options lists those of a select that are seen; of what it only shows when it is opened, all of them.
	const options = (of, depth, all) => {
		const isShown = o => styleOf(o).visibility === "visible";
		for (const o of of.children) {
			if (o.localName === "optgroup" && isShown(o)) {
				emit(depth, numberOf(o), "group", nameOf(o, "group"), "", "", statesOf(o, "group", false), 0, boxOf(o));
				options(o, depth + 1, all);
			} else if (o.localName === "option" && !o.hidden && (all || isShown(o))) {
				emit(depth, numberOf(o), "option", trim(attr(o, "aria-label") || labelOfOption(o)), "", "", statesOf(o, "option", false), FOCUSABLE, boxOf(o));
			} else if (isHTML(o) && o.localName !== "button") {
				options(o, depth, all); // options may be within elements that arrange them
			}
		}
	};

	// What shows in a reading and changes without a mutation, a layout or a style: what scripts and people put into
	// fields, and how far they scroll.
	const entered = e => {
		switch (e.localName) {
		case "select": return [e.validity.valid, e.matches(":open"), Array.from(e.selectedOptions, o => o.index)];
		case "video": return cannotPlay(e);
		}
		return [e.value, e.checked, e.indeterminate, e.files?.length, e.validity.valid];
	};
	const fieldsOf = root => root.querySelectorAll("input, select, textarea, video");
	const enteredIn = root => Array.from(fieldsOf(root), entered);
	// situation is what a document as a whole depends on.
	const situation = () => JSON.stringify([
		location.href, page.baseURI, page.designMode, page.hasFocus(), scrollX, scrollY, innerWidth, innerHeight, visualViewport.width, visualViewport.height,
		Array.from(scrolling, e => [e.scrollLeft, e.scrollTop]),
	]);
	const fingerprint = () => JSON.stringify([situation(), numberOf(focusIn(page) ?? document), [page, ...roots].map(enteredIn), drawn.map(drawnText)]);
	// keep begins to watch for what changes a document after it was read.
	const keep = () => {
		const what = {subtree: true, childList: true, attributes: true, characterData: true};
		watch.disconnect();
		for (const root of [document, ...roots]) watch.observe(root, what);
		touched.clear();
		changed = elementsChanged = false, records = 0, print = fingerprint();
		return ++reading;
	};
	// same reports whether a document is as a reading found it, but for what its style and its layout say. Both are up to
	// date afterwards, so that it shows whether they are computed again.
	const same = of => {
		page.documentElement?.getBoundingClientRect();
		note(watch.takeRecords());
		return of === reading && !changed && touched.size === 0 && !moving() && print === fingerprint();
	};
	const moving = () => [page, ...roots].some(root => root.getAnimations().some(a => a.playState === "running"));

	// read lists a document.
	const read = (now, allBoxes) => {
		if (now !== stamp) return {stale: true};
		everywhere = allBoxes;
		if (page.contentType === "application/pdf") return {opaque: "pdf"};
		begin();
		roots = new Set(), scrolling = new Set(), drawn = [], kept = null;
		wearers = wearersNow();
		findOwned(page);
		focus = focusNow();
		const body = page.documentElement;
		try {
			if (body) walk(body, 0, modal !== null, null, nowhere, null);
		} catch (e) {
			if (e instanceof Unreadable) return {opaque: e.what};
			throw e;
		}
		if (!allBoxes && modal === null && owner.size === 0 && roots.size === 0 && drawn.length === 0) keepParts(new Map(visits.map(v => [v.n, v])), 2 * strings.length + 1000);
		const out = {strings, nodes: list.join(" "), hosts, customs: [...customs.values()], title: page.title, root: numberOf(document), reading: keep(), ...viewed()};
		forget();
		return out;
	};
	const viewed = () => ({scroll: [scrollX, scrollY], viewport: [visualViewport.width, visualViewport.height]});
	const forget = () => { strings = index = list = owned = owner = shown = looks = looksAround = boxes = visits = voids = null };
	const focusNow = () => page.hasFocus() || page.activeElement !== page.body ? focusIn(page) : null;
	// A document of which little has changed is not walked again as a whole. What of it has changed is known from what the
	// observer noted, from the fields and from the focus. The rest is as it was if all that the last reading asked of
	// styles and boxes has the same answers: what else decides how an element is listed is its own subtree, the attributes
	// of what it is in, and what it refers to, which is listed again each time. All other changes, and what is rare, such
	// as shadow roots and modal dialogs, are reasons to read all of it.

	// refers are the elements that are listed by what is elsewhere.
	const refers = "[aria-labelledby], [aria-labeledby], [aria-describedby], [popovertarget], [commandfor], input[list], label";
	const keepParts = (places, limit) => {
		labelsOf(page.documentElement);
		kept = {
			strings, index, looks, looksAround, boxes, visits, tables, wearers, inertStyles, focus, places, limit, labels: labelled.get(page), situation: situation(),
			entered: new Map(Array.from(fieldsOf(page), e => [e, JSON.stringify(entered(e))])),
		};
	};
	// placeOf is the innermost element that was visited and that a node is in.
	const placeOf = n => {
		for (; n; n = n.parentNode) {
			const place = kept.places.get(n);
			if (place) return place;
		}
		return null;
	};
	// The role of a header of a table comes from the cells of its row, and options are listed with their list.
	const listedWith = e => e.matches("td, th") ? e.parentElement : e.closest("select") ?? e;
	// changedElements are those that have to be listed again with their subtrees.
	const changedElements = () => {
		const out = new Set();
		for (const n of touched) {
			const e = n.nodeType === 3 ? n.parentElement : n;
			if (!n.isConnected || !e || n !== document && e.closest("head")) continue;
			out.add(n === document ? page.documentElement : listedWith(e));
		}
		for (const e of fieldsOf(page)) if (kept.entered.get(e) !== JSON.stringify(entered(e))) out.add(e);
		if (focus !== kept.focus) for (const e of [focus, kept.focus]) if (e?.isConnected) out.add(e);
		labelsOf(page.documentElement);
		const labels = labelled.get(page);
		for (const e of new Set([...labels.keys(), ...kept.labels.keys()])) {
			const now = labels.get(e) ?? none, then = kept.labels.get(e) ?? none;
			if (e.isConnected && (now.length !== then.length || now.some((label, i) => label !== then[i]))) out.add(e);
		}
		return out;
	};
	// isWithin reports whether a place is in one of some.
	const isWithin = (place, places) => {
		for (let p = place; p; p = p.up) if (places.has(p)) return true;
		return false;
	};
	// changedPlaces are the outermost places to list again with all that is in them, and those to list by themselves; null
	// for too much.
	const changedPlaces = () => {
		const all = new Set(), alone = new Set();
		const elements = changedElements();
		for (const e of [...page.querySelectorAll(refers), ...labelled.get(page).keys()]) {
			const place = kept.places.get(e);
			if (place === undefined) continue;
			if (e.localName === "label") elements.add(e);
			else for (let p = place; p; p = p.up) alone.add(p);
		}
		for (const e of elements) {
			const place = placeOf(e);
			if (place === null || place.up === null || place.n === page.body) return null;
			all.add(place);
		}
		let size = 0;
		for (const place of [...all]) {
			if (isWithin(place.up, all)) all.delete(place);
			else size += place.size;
			for (let p = place.up; p; p = p.up) alone.add(p);
		}
		for (const place of [...alone]) if (isWithin(place, all)) alone.delete(place);
		return size > kept.visits.length / 4 + 20 || alone.size > kept.visits.length / 4 + 20 ? null : {all, alone};
	};
	const drop = n => {
		for (const known of [looks, looksAround["::before"], looksAround["::after"], boxes]) known.delete(n);
		for (let child = n.firstChild; child; child = child.nextSibling) drop(child);
	};
	// holds asks again what the last reading asked, but of what has been removed.
	const holds = () => {
		for (const known of [looks, looksAround["::before"], looksAround["::after"]]) {
			for (const [e, look] of known) {
				if (look.holds) continue;
				if (e.isConnected) return false;
				known.delete(e);
			}
		}
		for (const [n, box] of boxes) {
			if (isSameBox(measure(n), box)) continue;
			if (n.isConnected) return false;
			boxes.delete(n);
		}
		return kept.visits.every(v => v.n.shadowRoot === null && drawnText(v.n) === null) && !Array.prototype.some.call(page.forms, hides);
	};
	// wearAsBefore reports whether all that was not asked what is before and after it still need not be asked.
	const wearAsBefore = places => {
		if (inertStyles !== kept.inertStyles) return false;
		if (wearers === null || kept.wearers === null) return wearers === kept.wearers;
		for (const e of wearers) if (!kept.wearers.has(e) && !isWithin(placeOf(e), places)) return false;
		return true;
	};
	const isSameBox = (a, b) => a === b || a !== undefined && b !== undefined && a.x === b.x && a.y === b.y && a.width === b.width && a.height === b.height;

	// relist lists a place once more, and returns whether that changes nothing of what is listed around it.
	const relist = (place, whole) => {
		const before = visits.length;
		up = place.up;
		if (!whole) {
			const now = {...place, hides: place.hidden, box: undefined}, first = list.length;
			own(now);
			return now.hides === place.hides && isSameBox(now.box, place.box) && (list.length - first) / fields === place.own;
		}
		const box = walk(place.n, place.depth, place.hidden, place.parent, place.parentBox, place.beyond);
		const now = visits[before];
		return now !== undefined && now.own === place.own && now.hides === place.hides && isSameBox(box, place.box);
	};
	// readAgain lists what has changed since a reading: for each part its first row and how many rows it had and has, then
	// these. If what listens for clicks is only assumed to be as it was, nothing is listed if elements have changed.
	const readAgain = (of, now, assumed) => {
		const all = {whole: true};
		page.documentElement?.getBoundingClientRect();
		note(watch.takeRecords());
		if (assumed && elementsChanged) return {elementsChanged};
		if (kept === null || of !== reading || now !== stamp || changed || moving() || kept.situation !== situation()) return all;
		begin();
		everywhere = false, focus = focusNow(), wearers = wearersNow();
		findOwned(page);
		if (modal !== null || owner.size > 0) return all;
		if (!tablesAreAs(kept.tables)) return all;
		({strings, index, looks, looksAround, boxes, tables} = kept);
		const known = strings.length, places = changedPlaces();
		if (places === null) return all;
		for (const place of places.all) drop(place.n);
		if (!holds() || !wearAsBefore(places.all)) return all;
		const parts = [...places.all, ...places.alone].sort((a, b) => a.at - b.at), nodes = [], found = new Map();
		try {
			for (const place of parts) {
				list = [], visits = [];
				if (!relist(place, places.all.has(place)) || roots.size > 0 || drawn.length > 0) return all;
				found.set(place, visits);
				nodes.push(place.start, places.all.has(place) ? place.rows : place.own, list.length / fields, ...list);
			}
		} catch (e) {
			if (e instanceof Unreadable) return all;
			throw e;
		}
		const out = {strings: strings.slice(known), nodes: nodes.join(" "), hosts, customs: [...customs.values()], title: page.title, root: numberOf(document), ...viewed()};
		visits = replaced(places.all, found);
		for (const e of scrolling) if (!e.isConnected) scrolling.delete(e);
		keepParts(kept.places, kept.limit);
		if (strings.length > kept.limit) kept = null;
		out.reading = keep();
		forget();
		return out;
	};
	// replaced are the visits with those that were found at some places in the place of what was there.
	const replaced = (places, found) => {
		const out = [];
		let moved = 0;
		for (let i = 0; i < kept.visits.length; ) {
			const visit = kept.visits[i];
			if (!places.has(visit)) {
				visit.start += moved, visit.at = out.push(visit) - 1;
				i++;
				continue;
			}
			const [now] = found.get(visit), start = visit.start + moved;
			for (const gone of kept.visits.slice(i, i + visit.size)) if (kept.places.get(gone.n) === gone) kept.places.delete(gone.n);
			for (const v of found.get(visit)) v.start += start, v.at = out.push(v) - 1, kept.places.set(v.n, v);
			for (let p = visit.up; p; p = p.up) p.rows += now.rows - visit.rows, p.size += now.size - visit.size;
			moved += now.rows - visit.rows;
			i += visit.size;
		}
		return out;
	};

	return globalThis.hermesWalker = {
		// anchors are the document and, if it has any, an element with a shadow root.
		anchors() {
			const host = Array.prototype.find.call(page.querySelectorAll("*"), rootOf);
			return host ? [document, host] : [document];
		},
		read: (...how) => JSON.stringify(read(...how)),
		readAgain: (...how) => JSON.stringify(readAgain(...how)),
		same,
		// unknown are those of some backend node ids whose nodes are not known.
		unknown: all => all.filter(id => !listeners.has(id)),
		// listen is told which elements listen for clicks, by their backend node ids, and the nodes that were unknown. Those
		// that take clicks for others, or for the whole page, do not count.
		listen(nodes, unknown, all, now, allBoxes) {
			unknown.forEach((id, i) => nodes[i] && listeners.set(id, new WeakRef(nodes[i])));
			const kept = new Set(all);
			for (const id of listeners.keys()) if (!kept.has(id)) listeners.delete(id);
			const known = Array.from(listeners.values(), node => node.deref());
			listening = new WeakSet(known.filter(n => n?.ownerDocument === document && n.nodeType === 1 && !/^(html|body|label)$/.test(n.localName)));
			stamp = now;
			return hermesWalker.read(now, allBoxes);
		},
		// named is the role and the name of an element, empty if it is hidden; null if a script cannot find them out.
		named(e) {
			for (let p = e; p; p = parentOf(p)) if (p instanceof HTMLFormElement && hides(p)) return null;
			begin();
			findOwned(page);
			if (e.matches(opaque) || e.localName === "area" || semantic.get(e.localName)) return null;
			for (let p = e; p; p = parentOf(p)) {
				if (says(p, "aria-hidden") || p.inert || styleOf(p).display === "none") return ["", ""];
			}
			const role = roleOf(e);
			return role === null || role === "none" || styleOf(e).visibility !== "visible" ? ["", ""] : [role, cut(nameOf(unseenControl(e) ?? e, role))];
		},
		// tell is told closed shadow roots.
		tell(roots) {
			for (const root of roots) closed.set(root.host, root);
		},
		// tellRoles is told custom elements, and whether they have roles that scripts do not see.
		tellRoles(customs, have) {
			customs.forEach((e, i) => e && semantic.set(e.localName, have[i]));
		},
		// number is that of an element.
		number: numberOf,
		// element returns the element with a number, if it is still there.
		element: number => elements.get(number)?.deref() ?? null,
	};
}
