package page

import cdproto "github.com/chromedp/cdproto/cdp"

const (
	// modalOver returns the modal dialog that an element is behind, in its document; null for none. What showModal has
	// opened blocks everything that is not in it. Of other dialogs a page says so.
	modalOver = `(e) => {
	const above = n => n.assignedSlot || n.parentElement || (n.getRootNode().host ?? null);
	const holds = m => { for (let n = e; n; n = above(n)) if (n === m) return true; return false };
	const open = kind => [...document.querySelectorAll(kind)].filter(m => m.checkVisibility({visibilityProperty: true}));
	const native = open("dialog:modal"), said = open("[aria-modal=true]");
	if (native.some(holds)) return null;
	return native.at(-1) ?? said.filter(m => !holds(m)).at(-1) ?? null;
}`
	// modalAround returns the modal dialog that an element is in; null for none.
	modalAround = `(e) => {
	const above = n => n.assignedSlot || n.parentElement || (n.getRootNode().host ?? null);
	for (let n = e; n; n = above(n)) if (n.matches("dialog:modal, [aria-modal=true]")) return n;
	return null;
}`
)

// ModalOver returns the modal dialog that an element is behind; zero for none.
func ModalOver(d Driver, n Element) (Element, error) { return related(d, n, modalOver) }

// modalOf returns the modal dialog that a hit test found over an element, of which by is a part; zero if it is none.
func modalOf(d Actor, n, by Element, s *spot) (Element, error) {
	for _, l := range s.path { // in the document of the dialog, the frame of the element is behind it
		if n.Frame != by.Frame && l.owner.Frame == by.Frame {
			n = l.owner
		}
	}
	around, err := related(d, by, modalAround)
	if err != nil || around == (Element{}) || n.Frame != by.Frame {
		return Element{}, err
	}
	over, err := ModalOver(d, n)
	if err != nil || over != around {
		return Element{}, err
	}
	return around, nil
}

// behindError is the error of an element behind a modal dialog.
func behindError(d Actor, name string, modal Element) error {
	by, err := nameWithSelector(d, modal)
	if err != nil {
		return err
	}
	return &NotActionableError{Obstacle: Behind, Element: name, By: by}
}

// listOf returns the select that an option is in; null for another element.
const listOf = `(e) => e.localName === "option" ? e.closest("select") : null`

// ListOf returns the select that an option is in, and any other element itself.
func ListOf(d Driver, n Element) (Element, error) {
	list, err := related(d, n, listOf)
	if list == (Element{}) {
		list = n
	}
	return list, err
}

// related returns the element that a function finds for another; zero for none.
func related(d Driver, n Element, function string) (Element, error) {
	var id cdproto.BackendNodeID
	if err := d.Run(n.Frame, n.ID, function, nil, &id); err != nil || id == 0 {
		return Element{}, err
	}
	return Element{n.Frame, id}, nil
}
