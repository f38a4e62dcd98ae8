package page

import "github.com/chromedp/cdproto/cdp"

// focusThenListen gives an element the focus, and makes its document listen for what is typed.
const focusThenListen = `(e, id, signs) => {
	(` + focus + `)(e);
	return (` + listen + `)(e, id, signs);
}`

// PressOn gives an element the focus and presses a key there. Its error is a [*NotDeliveredError], or the driver's.
func PressOn(d Actor, n Element, c Chord) error {
	if err := scrollTo(d, n); err != nil {
		return err
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
	return aim.Strike(d, func(Point) error { return Press(d, c) })
}

// PressFocused presses a key in whichever frame has the focus. Its error is as that of [PressOn].
func PressFocused(d Actor, c Chord) error {
	aim, err := aimAtFocus(d)
	if err != nil {
		return err
	}
	return aim.Strike(d, func(Point) error { return Press(d, c) })
}

// listenAtFocus makes a document listen, and gives the element with the focus where that shows another document.
const listenAtFocus = `(id, signs) => {
	(` + listen + `)(null, id, signs);
	let e = document.activeElement;
	while (e?.shadowRoot?.activeElement) e = e.shadowRoot.activeElement;
	return e && ["iframe", "frame", "object", "embed", "fencedframe"].includes(e.localName) ? e : null;
}`

// aimAtFocus makes the frame with the focus listen.
func aimAtFocus(d Actor) (*Aim, error) {
	frames := map[cdp.FrameID]bool{}
	for _, f := range d.Frames() {
		frames[f.ID] = true
	}
	for frame := cdp.FrameID(d.Target()); ; {
		aim := aimAt(Element{Frame: frame}, Keyed, true)
		aim.name = "what has the focus"
		if err := d.Announce(frame); err != nil {
			return nil, err
		}
		var owner cdp.BackendNodeID
		if err := d.Run(frame, 0, listenAtFocus, []any{aim.id, aim.signs}, &owner); err != nil || owner == 0 {
			return aim, err
		}
		shows, err := contentFrame(d, Element{frame, owner})
		if err != nil {
			return nil, err
		}
		if aim.unverifiable = !frames[shows]; aim.unverifiable { // a document of another program, such as a PDF
			return aim, nil
		}
		frame = shows
	}
}
