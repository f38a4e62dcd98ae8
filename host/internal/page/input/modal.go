package input

import (
	cdproto "github.com/chromedp/cdproto/cdp"

	"github.com/hermes-cdp/hermes-cdp/host/internal/page"
	"github.com/hermes-cdp/hermes-cdp/host/internal/page/query"
)

// modalAround returns the modal dialog that an element is in; null for none.
const modalAround = `(e) => {
	for (let n = e; n; n = above(n)) if (ask(Element, "matches", n, "dialog:modal, [aria-modal=true]")) return n;
	return null;
}`

// ModalOver returns the modal dialog that an element is behind; zero for none.
func ModalOver(d page.Driver, n page.Element) (page.Element, error) {
	return related(d, n, query.ModalOver)
}

// modalOf returns the modal dialog that a hit test found over an element, of which by is a part; zero if it is none.
func modalOf(d Actor, n, by page.Element, s *spot) (page.Element, error) {
	for _, l := range s.path { // in the document of the dialog, the frame of the element is behind it
		if n.Frame != by.Frame && l.Owner.Frame == by.Frame {
			n = l.Owner
		}
	}
	around, err := related(d, by, modalAround)
	if err != nil || around == (page.Element{}) || n.Frame != by.Frame {
		return page.Element{}, err
	}
	over, err := ModalOver(d, n)
	if err != nil || over != around {
		return page.Element{}, err
	}
	return around, nil
}

// behindError is the error of an element behind a modal dialog.
func behindError(d Actor, name string, modal page.Element) error {
	by, err := page.NameWithSelector(d, modal)
	if err != nil {
		return err
	}
	return &NotActionableError{Obstacle: Behind, Element: name, By: by}
}

// listOf returns the select that an option is in; null for another element.
const listOf = `(e) => e.localName === "option" ? e.closest("select") : null`

// ListOf returns the select that an option is in, and any other element itself.
func ListOf(d page.Driver, n page.Element) (page.Element, error) {
	list, err := related(d, n, listOf)
	if list == (page.Element{}) {
		list = n
	}
	return list, err
}

// related returns the element that a function finds for another; zero for none.
func related(d page.Driver, n page.Element, function string) (page.Element, error) {
	var id cdproto.BackendNodeID
	if err := d.Run(n.Frame, n.ID, function, nil, &id); err != nil || id == 0 {
		return page.Element{}, err
	}
	return page.Element{Frame: n.Frame, ID: id}, nil
}
