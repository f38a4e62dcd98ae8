package input

import (
	"errors"
	"slices"
	"time"

	"github.com/hermes-cdp/hermes-cdp/host/internal/page"
	"github.com/hermes-cdp/hermes-cdp/host/internal/page/geometry"
	"github.com/hermes-cdp/hermes-cdp/host/internal/page/query"
)

// focusThenListen focuses an element, installs the listener for what is typed, and returns whether keys go there: what
// cannot take the focus leaves it with another element, which would get them.
const focusThenListen = `(e, id, signs) => {
	(` + focus + `)(e);
	(` + listen + `)(e, id, signs, 0);
	(` + tellRefocused + `)(e, id);
	const now = (` + focusOf + `)(document) ?? document.documentElement;
	return own.arrival.expects(now) || (` + isFrame + `)(now); // the latter is told
}`

// PressOn focuses an element and presses a key there. listed says that the browser's own list of suggestions for the
// field received the key. The error is a [*NotActionableError] for an element that cannot take the focus, a
// [*NotDeliveredError], or the driver's.
func PressOn(d Actor, n page.Element, c Chord) (listed bool, err error) {
	if err := scrollTo(d, n); err != nil {
		return false, err
	}
	var state [2]string // behind a modal dialog the element gets no focus, and the dialog would get the key
	if err := d.Run(n.Frame, n.ID, query.Condition, nil, &state); err != nil {
		return false, err
	}
	if Obstacle(state[0]) == Behind {
		return false, notActionable(d, n, Behind, "")
	}
	if err := d.Announce(n.Frame); err != nil {
		return false, err
	}
	aim, takes := aimAt(n, Keyed, false), false
	if err := d.Run(n.Frame, n.ID, focusThenListen, []any{aim.id, aim.signs}, &takes); err != nil {
		return false, err
	}
	switch {
	case d.Announced(aim.id) == ArrivesWithin:
		return PressFocused(d, c)
	case !takes:
		return false, unfocusedError(d, n)
	}
	return aim.pressKey(d, c)
}

// unfocusedError says that an element has not taken the focus, and what would have received the key.
func unfocusedError(d Actor, n page.Element) error {
	where, nothing := "nothing has it", (*NotActionableError)(nil)
	has, err := Focused(d)
	if err == nil {
		where, err = page.NameWithSelector(d, has)
		where += " has it"
	}
	if err != nil && !errors.As(err, &nothing) && !d.Gone(err) {
		return err
	}
	return unfitError(d, n, "unable to take the focus, so that no key was pressed: "+where+
		". Click or drag the element, or press the key without naming one")
}

// PressFocused presses a key in whichever frame has the focus. Its results are those of [PressOn].
func PressFocused(d Actor, c Chord) (listed bool, err error) {
	aim, err := aimAtFocus(d)
	if err != nil {
		return false, err
	}
	return aim.pressKey(d, c)
}

// suggests returns whether the field with the focus has suggestions, of which the browser may show a list below it.
//
// https://html.spec.whatwg.org/multipage/form-elements.html#the-datalist-element
const suggests = `() => {
	let e = document.activeElement;
	while (e?.shadowRoot?.activeElement) e = e.shadowRoot.activeElement;
	return e instanceof HTMLInputElement && e.list !== null && e.list.options.length > 0;
}`

// choosing are the keys that Chromium gives to that list before the page, while it shows one.
var choosing = []string{"ArrowDown", "ArrowUp", "PageDown", "PageUp", "Enter", "Escape", "Tab"}

// pressKey presses a key. One that the list of suggestions has received must not be sent again, as what the page has
// not received otherwise is.
func (a *Aim) pressKey(d Actor, c Chord) (listed bool, err error) {
	if len(c.held) == 0 && slices.Contains(choosing, c.key.key) {
		if err := d.Run(a.node.Frame, 0, suggests, nil, &listed); err != nil {
			return false, err
		}
	}
	if !listed {
		return false, a.Deliver(d, func(geometry.Point) error { return Press(d, c) })
	}
	for again := false; ; again = true {
		if err := strike(d, c.key); err != nil {
			return false, err
		}
		arrived, err := a.Proven(d)
		if chooses := c.key.key == "Enter" || c.key.key == "Tab"; arrived || err != nil || again || !chooses {
			return !arrived, err
		}
		if err := query.Sleep(d, unchosen); err != nil {
			return false, err
		}
	}
}

// unchosen is how long Chromium chooses nothing from a list that it has just shown, so that nobody does by mistake.
// When it does, the field receives a key.
const unchosen = 600 * time.Millisecond
