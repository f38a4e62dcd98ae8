package input

import (
	"errors"
	"slices"
	"time"

	"github.com/hermes-cdp/hermes-cdp/host/internal/page"
	"github.com/hermes-cdp/hermes-cdp/host/internal/page/geometry"
	"github.com/hermes-cdp/hermes-cdp/host/internal/page/query"
)

// focusThenListen focuses an element, installs the listener for what is typed, and returns whether keys go there, and
// whether it had the focus at all: what cannot take it leaves it with another element, and the page may move it on.
const focusThenListen = `(e, id, signs) => {
	let had = false;
	const note = () => { had = true };
	e.addEventListener("focus", note, {capture: true, once: true});
	(` + focus + `)(e);
	e.removeEventListener("focus", note, {capture: true});
	(` + listen + `)(e, id, signs, 0);
	(` + tellRefocused + `)(e, id);
	const now = (` + focusOf + `)(document) ?? document.documentElement;
	return {takes: own.arrival.expects(now) || (` + isFrame + `)(now), had}; // frames are told
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
	aim := aimAt(n, Keyed, false)
	var focus struct{ Takes, Had bool }
	if err := d.Run(n.Frame, n.ID, focusThenListen, []any{aim.id, aim.signs}, &focus); err != nil {
		return false, err
	}
	switch {
	case d.Announced(aim.id) == ArrivesWithin:
		return PressFocused(d, c)
	case !focus.Takes:
		return false, aim.unfocused(d, focus.Had)
	}
	return aim.pressKey(d, c)
}

// unfocused is the error that an element does not have the focus, which names what does: the element has not taken it,
// or had it until the page gave it to that.
func (a *Aim) unfocused(d Actor, had bool) error {
	err := a.focusedInstead(d, &NotDeliveredError{Refocused: true, Met: "nothing on the page"})
	if not := (*NotDeliveredError)(nil); !had && errors.As(err, &not) {
		return &NotActionableError{Obstacle: Unfit, Element: not.Element, By: "unable to take the focus, so that no key was pressed: " + not.Met +
			" has it. Click or drag the element, or press the key without naming one"}
	}
	return err
}

// focusedInstead sets the names in an error, that of what has the focus if anything does.
func (a *Aim) focusedInstead(d Actor, out *NotDeliveredError) error {
	has, err := Focused(d)
	if nothing := (*NotActionableError)(nil); err != nil && !errors.As(err, &nothing) {
		return err
	}
	return a.metInstead(d, has, out)
}

// PressFocused presses a key in whichever frame has the focus. Its results are those of [PressOn].
func PressFocused(d Actor, c Chord) (listed bool, err error) {
	aim, err := aimAtFocus(d)
	if err != nil {
		return false, err
	}
	return aim.pressKey(d, c)
}

// submitter returns the element at which Enter sends what was typed into a field: the field, or, if the page has moved
// the focus on, as from one digit of a code to the next, another field of the same form or likewise of none, or the
// button that sends the form; null if anything else has the focus. A field that the page has replaced meanwhile stands
// for the new one.
const submitter = `(e) => {
	const is = (n, selector) => ask(Element, "matches", n, selector), formOf = n => n.form ?? ask(Element, "closest", n, "form");
	const root = ask(Node, "getRootNode", e);
	let now = (` + focusOf + `)(document);
	if (now && now !== e && within(e, now) && root !== ask(Node, "getRootNode", now)) now = (` + focusOf + `)(root) ?? now; // in a closed root
	if (!now) return null;
	if ((` + belongs + `)(now, e) || now.isContentEditable && within(e, now)) return e;
	const isField = is(now, "input:not([type=button], [type=submit], [type=reset], [type=image], [type=file], [type=checkbox], [type=radio])");
	if (!of(Node, "isConnected", e)) return isField ? now : null;
	const sends = formOf(e) && is(now, "button:not([type=button], [type=reset]), input:is([type=submit], [type=image])");
	return (isField || sends) && formOf(now) === formOf(e) ? now : null;
}`

// Submitter returns the element at which Enter sends what was typed into a field. The error is a [*NotDeliveredError]
// if something else has the focus, or the driver's.
func Submitter(d Actor, n page.Element) (page.Element, error) {
	at, err := related(d, n, submitter)
	if err == nil && at == (page.Element{}) {
		err = aimAt(n, Keyed, false).focusedInstead(d, &NotDeliveredError{Unsent: true, Met: "nothing on the page"})
	}
	return at, err
}

// PressEnter presses Enter at an element that has the focus. Its results are those of [PressOn].
func PressEnter(d Actor, n page.Element) (listed bool, err error) {
	aim := aimAt(n, Keyed, false)
	if err := aim.listen(d); err != nil {
		return false, err
	}
	return aim.pressKey(d, Chord{key: namedKeys["Enter"]})
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
