// A page of random elements, and random changes of it. Each seed is one page with one sequence of changes.
(seed => {
	let state = seed * 2654435761 % 4294967296;
	const random = below => {
		state = (state + 0x6d2b79f5) | 0;
		let t = Math.imul(state ^ state >>> 15, 1 | state);
		t = t + Math.imul(t ^ t >>> 7, 61 | t) ^ t;
		return ((t ^ t >>> 14) >>> 0) % below;
	};
	const one = list => list[random(list.length)];
	let count = 0;
	const word = () => one(["Alpha", "Beta", " gamma ", "Delta\n delta", "", "Epsilon"]) + count++;
	const id = () => "i" + random(40);
	const tags = ["div", "div", "p", "span", "section", "article", "header", "ul", "ol", "li", "li", "button", "button", "a", "h2", "label", "label", "input", "input", "input", "textarea", "select",
		"fieldset", "legend", "details", "table", "tr", "td", "th", "figure", "img", "em", "output", "progress", "meter", "nav", "form", "dialog", "q", "blockquote", "svg", "hr", "br", "datalist", "summary"];
	const types = ["text", "checkbox", "radio", "range", "number", "submit", "button", "file", "password", "hidden", "search", "email", "image"];
	const roles = ["button", "link", "none", "presentation", "img", "group", "list", "listitem", "option", "listbox", "tab", "tablist", "row", "cell", "grid", "gridcell", "heading", "checkbox",
		"switch", "slider", "textbox", "tree", "treeitem", "alert", "status", "dialog", "radio", "menu", "menuitem", "region", "table", "columnheader", "combobox"];
	const attributes = {
		class: ["a", "b", "c", "d", "e", "a b", "c d", ""], hidden: ["", "until-found"], "aria-hidden": ["true", "false"], inert: [""], role: roles, "aria-label": ["Label", "Name", ""], title: ["Title", ""],
		disabled: [""], "aria-labelledby": [id(), id() + " " + id()], "aria-describedby": [id()], for: [id(), id()], id: [id(), id(), id()], href: ["/x", "#y", "https://a.example/"], lang: ["tr"],
		contenteditable: ["", "false"], tabindex: ["0", "-1"], draggable: ["true"], open: [""], value: ["7", "v"], checked: [""], required: [""], readonly: [""], multiple: [""], list: [id()],
		style: ["display:none", "display:flex", "display:contents", "visibility:hidden", "visibility:visible", "text-transform:uppercase", "white-space:pre", "cursor:pointer", "position:fixed;top:3px", "float:left", "content-visibility:hidden",
			"overflow:auto;height:30px", "height:200px", "position:relative"],
		"aria-expanded": ["true", "false"], "aria-checked": ["true", "mixed"], "aria-selected": ["true"], "aria-disabled": ["true"], "aria-pressed": ["true"], "aria-level": ["3"], "aria-invalid": ["true"], "aria-valuenow": ["5"],
		"aria-required": ["true"], "aria-busy": ["true"], "aria-sort": ["ascending"], "aria-owns": [id()], alt: ["Alt", ""], scope: ["row", "col"], type: types, placeholder: ["Hint"], popover: ["auto"], popovertarget: [id()],
		label: ["Group"], form: [id()], "aria-modal": ["true"], "aria-description": ["More"], slot: ["s"], dir: ["rtl"],
	};
	const names = Object.keys(attributes);
	const attribute = e => {
		const name = one(names);
		if (name === "aria-owns" && random(8) > 0 || name === "role" && random(3) > 0) return;
		if (random(4) === 0) e.removeAttribute(name);
		else e.setAttribute(name, one(attributes[name]));
	};
	const make = depth => {
		const tag = one(tags), e = tag === "svg" ? document.createElementNS("http://www.w3.org/2000/svg", "svg") : document.createElement(tag);
		if (tag === "input") e.type = one(types);
		if (tag === "select") for (let i = 0; i < 3; i++) e.append(new Option(word(), i));
		if (tag === "svg") e.innerHTML = "<title>" + word() + "</title>";
		if (tag === "table") e.innerHTML = "<caption>T</caption><tr><th>H<td>" + word() + "<tr><th><td>" + word() + "<th>x";
		if (tag === "details") e.append(Object.assign(document.createElement("summary"), {textContent: word()}));
		if (random(3) === 0) e.id = id();
		while (random(4) === 0) attribute(e);
		if (!/^(input|select|textarea|img|hr|br|svg|progress|meter)$/.test(tag)) fill(e, depth - 1);
		return e;
	};
	const fill = (e, depth) => {
		for (let n = depth > 0 ? random(5) : random(2); n > 0; n--) e.append(random(3) === 0 || depth <= 0 ? word() : make(depth));
		if (random(2) === 0) e.append(word());
	};
	document.title = "seed " + seed;
	const sheet = document.head.appendChild(document.createElement("style"));
	sheet.textContent = one(["", `.a { cursor: pointer } .b + * { display: none } .c ~ .c { visibility: hidden } .d:has(:checked) { text-transform: uppercase } .e::before { content: "Before " attr(class) }
		:checked + span { display: none } p:empty { display: none } @media (min-width: 1px) { .b.a::after { content: "!" } } div:hover { visibility: visible } .a .c { display: none }
		label:has(:focus) { text-transform: capitalize } li:nth-child(3) { visibility: hidden } :disabled::after { content: "off" } .d { white-space: pre }`, "#none {}"]);
	for (let n = 0; n < 30 || document.querySelectorAll("*").length < 200; n++) document.body.append(make(4));
	document.body.append(Object.assign(document.createElement("div"), {style: "height:2000px"}));
	for (let n = 0; n < 12; n++) document.body.append(make(3));
	const any = () => one(document.body.querySelectorAll("*")) ?? document.body.appendChild(make(2));
	const field = () => one(document.querySelectorAll("input, select, textarea")) ?? document.body.appendChild(document.createElement("input"));
	const isForm = e => e.localName === "form";
	const changes = {
		text() {
			const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT), all = [];
			while (walker.nextNode()) all.push(walker.currentNode);
			if (all.length > 0) one(all).data = word();
		},
		attribute() { attribute(any()) },
		append() { any().append(make(2)) },
		before() { any().before(make(1)) },
		remove() { any().remove() },
		move() { const e = any(), to = any(); if (!e.contains(to)) to.append(e) },
		empty() { any().replaceChildren() },
		split() { any().insertAdjacentText("afterbegin", word()) },
		value() { const e = field(); if (e.type !== "file") e.value = one(["3", "typed", ""]) },
		check() { const e = field(); e.checked = random(2) === 0; if (random(3) === 0) e.indeterminate = true },
		select() { const e = one(document.querySelectorAll("select")); if (e) e.selectedIndex = random(3) },
		validity() { field().setCustomValidity(one(["wrong", ""])) },
		focus() { const e = any(); random(3) ? e.focus({preventScroll: true}) : document.activeElement.blur() },
		rule() { sheet.sheet.insertRule(one([".a { visibility: hidden }", ".b { display: none }", ".c { cursor: pointer }", "span::before { content: 'rule' }", "h2 { text-transform: uppercase }", "li { position: fixed; top: 0 }"]), 0) },
		declaration() { const r = one(sheet.sheet.cssRules); if (r?.style) r.style.setProperty(one(["visibility", "display", "content"]), one(["hidden", "none", "'new'"])) },
		popover() { const e = one(document.querySelectorAll("[popover]")); if (e?.isConnected) try { e.togglePopover() } catch {} },
		dialog() { const e = one(document.querySelectorAll("dialog")); if (e) try { e.open ? e.close() : random(4) ? e.show() : e.showModal() } catch {} },
		close() { for (const e of document.querySelectorAll("dialog:modal")) e.close() },
		listener() { any().addEventListener("click", () => {}) },
		title() { document.title = word() },
		link() { const e = one(document.querySelectorAll("[id]")); if (e) any().setAttribute(one(["aria-labelledby", "aria-describedby"]), e.id) },
		label() { const l = document.createElement("label"), e = field(); e.id ||= id(); l.htmlFor = e.id; l.textContent = word(); any().append(l) },
		nothing() {},
	};
	const often = ["text", "text", "attribute", "attribute", "value", "value", "check", "split", "append", "focus", "select"];
	const name = () => random(2) ? one(often) : one(Object.keys(changes));
	globalThis.change = () => {
		const done = [];
		for (let n = 1 + random(2); n > 0; n--) {
			const what = name();
			done.push(what);
			changes[what]();
		}
		for (const e of document.querySelectorAll("form")) if (random(9) === 0) e.replaceWith(...e.childNodes);
		return done.join();
	};
})
