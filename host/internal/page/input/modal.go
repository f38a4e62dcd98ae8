package input

import (
	cdproto "github.com/chromedp/cdproto/cdp"

	"github.com/hermes-cdp/hermes-cdp/host/internal/page"
	"github.com/hermes-cdp/hermes-cdp/host/internal/page/query"
)

// modalOver returns the modal dialog that an element is behind, if another one is a part of the dialog, or of what the
// page draws around it: its backdrop, or the container that centres it. Otherwise it is null.
const modalOver = `(e, hit) => {
	const modal = (` + query.ModalOver + `)(e);
	if (!modal || within(hit, modal)) return modal;
	const around = of(Element, "childElementCount", hit) ? hit : of(Node, "parentElement", hit); // a backdrop is empty
	return around && around !== document.body && within(modal, around) && !within(e, around) ? modal : null;
}`

// ModalOver returns the modal dialog that an element is behind; zero for none.
func ModalOver(d page.Driver, n page.Element) (page.Element, error) {
	return related(d, n, query.ModalOver)
}

// modalOf returns the modal dialog that an element is behind, if a hit test found a part of that instead; zero
// otherwise.
func modalOf(d Actor, n, by page.Element, s *spot) (modal page.Element, err error) {
	for _, l := range s.path { // in the document of the dialog, the frame of the element is behind it
		if n.Frame != by.Frame && l.Owner.Frame == by.Frame {
			n = l.Owner
		}
	}
	if n.Frame != by.Frame {
		return page.Element{}, nil
	}
	modal.Frame = n.Frame
	err = d.RunOn(n.Frame, []cdproto.BackendNodeID{n.ID, by.ID}, `([e, hit]) => (`+modalOver+`)(e, hit)`, nil, &modal.ID)
	return modal, err
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
func related(d page.Driver, n page.Element, function string, args ...any) (page.Element, error) {
	var id cdproto.BackendNodeID
	if err := d.Run(n.Frame, n.ID, function, args, &id); err != nil || id == 0 {
		return page.Element{}, err
	}
	return page.Element{Frame: n.Frame, ID: id}, nil
}
