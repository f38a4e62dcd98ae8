package page

// Prelude is what the functions of [Driver.Run] and [Actor.RunOn] find around them in the isolated world:
//
//   - own is an object that all of them share in a document. A property of globalThis would be no place for it: an
//     element with that id is one as well, in every world.
//     https://html.spec.whatwg.org/multipage/nav-history-apis.html#named-access-on-the-window-object
//   - of reads a property, and ask calls a method, of an element that may be a form: its fields hide properties that
//     have their names. https://html.spec.whatwg.org/multipage/forms.html#dom-form-nameditem
//   - above is the parent in the flat tree, and within whether an element is another one or inside it.
//   - called is how errors name an element.
//   - scripted is whether the page may run scripts here. Where it may not, as in a sandbox, neither timers nor
//     listeners of any world are called, and the browser logs each that would be; promises resolve, and frames are
//     drawn.
//   - after is a promise of so many milliseconds later, and frame one of the next frame: its time, or after a tenth of
//     a second nothing, as a tab may draw none. In a tab that nobody sees, timers may be late by a minute; each of the
//     promises that are awaited instead is a turn of the event loop.
const Prelude = `
const own = globalThis[Symbol.for("hermes-cdp")] ??= {};
const of = (type, name, n) => Reflect.get(type.prototype, name, n);
const ask = (type, name, n, ...args) => type.prototype[name].call(n, ...args);
const above = n => {
	const root = ask(Node, "getRootNode", n);
	return of(Element, "assignedSlot", n) ?? of(Node, "parentElement", n) ?? (root.nodeType === Node.DOCUMENT_FRAGMENT_NODE ? root.host : null);
};
const within = (n, wanted) => { for (; n; n = above(n)) if (n === wanted) return true; return false };
const scripted = () => !matchMedia("(scripting: none)").matches;
const after = async ms => {
	if (scripted() && !document.hidden) return new Promise(done => setTimeout(done, ms));
	const end = performance.now() + ms;
	for (let turns = 0; turns < 20 || performance.now() < end; turns++) await new Blob([""]).arrayBuffer();
};
const frame = () => Promise.race([new Promise(requestAnimationFrame), after(100)]);
const called = n => of(Element, "localName", n) + (of(Element, "id", n) ? "#" + of(Element, "id", n) : "");
`
