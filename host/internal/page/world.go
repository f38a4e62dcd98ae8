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
const Prelude = `
const own = globalThis[Symbol.for("hermes-cdp")] ??= {};
const of = (type, name, n) => Reflect.get(type.prototype, name, n);
const ask = (type, name, n, ...args) => type.prototype[name].call(n, ...args);
const above = n => {
	const root = ask(Node, "getRootNode", n);
	return of(Element, "assignedSlot", n) ?? of(Node, "parentElement", n) ?? (root.nodeType === Node.DOCUMENT_FRAGMENT_NODE ? root.host : null);
};
const within = (n, wanted) => { for (; n; n = above(n)) if (n === wanted) return true; return false };
const called = n => of(Element, "localName", n) + (of(Element, "id", n) ? "#" + of(Element, "id", n) : "");
`
