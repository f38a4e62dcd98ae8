package input

import (
	cdproto "github.com/chromedp/cdproto/cdp"

	"github.com/hermes-cdp/hermes-cdp/host/internal/page"
	"github.com/hermes-cdp/hermes-cdp/host/internal/page/geometry"
	"github.com/hermes-cdp/hermes-cdp/host/internal/page/query"
)

// focusThenListen focuses an element and installs the listener for what is typed.
const focusThenListen = `(e, id, signs) => {
	(` + focus + `)(e);
	return (` + listen + `)(e, id, signs, 0);
}`

// PressOn focuses an element and presses a key there. The error is a [*NotDeliveredError], or the driver's.
func PressOn(d Actor, n page.Element, c Chord) error {
	if err := scrollTo(d, n); err != nil {
		return err
	}
	var state [2]string // behind a modal dialog the element gets no focus, and the dialog would get the key
	if err := d.Run(n.Frame, n.ID, query.Condition, nil, &state); err != nil {
		return err
	}
	if Obstacle(state[0]) == Behind {
		return notActionable(d, n, Behind, "")
	}
	if err := d.Announce(n.Frame); err != nil {
		return err
	}
	aim := aimAt(n, Keyed, false)
	if err := d.Run(n.Frame, n.ID, focusThenListen, []any{aim.id, aim.signs}, nil); err != nil {
		return err
	}
	if d.Announced(aim.id) == ArrivesWithin {
		return PressFocused(d, c)
	}
	return aim.Deliver(d, func(geometry.Point) error { return Press(d, c) })
}

// PressFocused presses a key in whichever frame has the focus. Its errors are those of [PressOn].
func PressFocused(d Actor, c Chord) error {
	aim, err := aimAtFocus(d)
	if err != nil {
		return err
	}
	return aim.Deliver(d, func(geometry.Point) error { return Press(d, c) })
}

// listenAtFocus installs the listener in a document, and returns the element with the focus if that shows another
// document.
const listenAtFocus = `(id, signs) => {
	(` + listen + `)(null, id, signs, 0);
	let e = document.activeElement;
	while (e?.shadowRoot?.activeElement) e = e.shadowRoot.activeElement;
	return e && ["iframe", "frame", "object", "embed", "fencedframe"].includes(e.localName) ? e : null;
}`

// aimAtFocus installs the listener in the frame with the focus.
func aimAtFocus(d Actor) (*Aim, error) {
	frames := page.ByID(d.Frames())
	for frame := cdproto.FrameID(d.Target()); ; {
		aim := aimAt(page.Element{Frame: frame}, Keyed, true)
		aim.name = "what has the focus"
		if err := d.Announce(frame); err != nil {
			return nil, err
		}
		var owner cdproto.BackendNodeID
		if err := d.Run(frame, 0, listenAtFocus, []any{aim.id, aim.signs}, &owner); err != nil || owner == 0 {
			return aim, err
		}
		shows, err := contentFrame(d, page.Element{Frame: frame, ID: owner})
		if err != nil {
			return nil, err
		}
		if aim.unverifiable = frames[shows].ID == ""; aim.unverifiable { // such as a PDF, in which no script runs
			return aim, nil
		}
		frame = shows
	}
}
