"use strict";
// What the book does with script: the search. All else works without it.

const form = document.querySelector("form[role=search]");
const field = form.elements.q;
const results = document.querySelector("#results");

form.addEventListener("submit", event => {
	event.preventDefault(); // the policy of the live page allows no form to be sent
	if (results) show(); else location.href = form.getAttribute("action") + "?" + new URLSearchParams({q: field.value});
});

// On a narrow screen the chapters would push the page out of sight.
if (matchMedia("(max-width: 800px)").matches) document.querySelector("nav details").open = false;

// The chapter that is read is in sight among the others.
const current = document.querySelector("nav [aria-current]");
if (current) current.closest("nav").scrollTop = current.offsetTop - 100;

if (results) addEventListener("DOMContentLoaded", () => {
	field.value = new URLSearchParams(location.search).get("q") ?? "";
	field.addEventListener("input", show);
	field.focus();
	show();
});

let index;
function show() {
	if (!index) {
		index = new MiniSearch({fields: ["title", "page", "text"], storeFields: ["title", "page", "url", "text"]});
		index.addAll(bookSections);
	}
	const found = index.search(field.value, {boost: {title: 4, page: 2}, prefix: true, fuzzy: term => term.length > 5 ? 0.15 : false, combineWith: "AND"});
	document.querySelector("#count").textContent = !field.value.trim() ? "Type what you look for into the field above."
		: found.length ? `${found.length} sections, the best first` : `Nothing is found for “${field.value}”.`;
	results.replaceChildren(...found.slice(0, 40).map(entry));
}

function entry(hit) {
	const item = document.createElement("li"), link = document.createElement("a"), text = document.createElement("p");
	link.href = hit.url;
	link.textContent = hit.page === hit.title ? hit.title : hit.page + ": " + hit.title;
	text.textContent = excerpt(hit.text, hit.terms);
	text.className = "soft";
	item.append(link, text);
	return item;
}

// excerpt is the text around the first word that was found.
function excerpt(text, terms) {
	const low = text.toLowerCase();
	const at = Math.max(0, Math.min(...terms.map(t => low.indexOf(t)).filter(i => i >= 0), low.length) - 60);
	const from = at >= low.length - 60 ? 0 : at && text.indexOf(" ", at) + 1;
	return (from ? "… " : "") + text.slice(from, from + 200) + (text.length > from + 200 ? " …" : "");
}
