package input

import (
	"errors"
	"fmt"

	"github.com/hermes-cdp/hermes-cdp/host/fault"
	"github.com/hermes-cdp/hermes-cdp/host/internal/page"
)

// misdelivered is the error that another element received the input, which it names. With force it is nil, and
// Aim.Instead has the name.
func (a *Aim) misdelivered(d Actor) error {
	if a.force && a.node.ID == 0 {
		return nil // any element was meant
	}
	by, err := a.met(d)
	if err == nil {
		err = a.hitInstead(d, by)
	}
	if not := (*NotDeliveredError)(nil); a.force && errors.As(err, &not) {
		a.Instead, err = not.Met, nil
	}
	return err
}

// refocused is an error if another document has the focus than that of what is aimed at. It would receive the keys or,
// if they were sent, has received them.
func (a *Aim) refocused(d Actor, out *NotDeliveredError) error {
	by, err := Focused(d)
	if nothing := (*NotActionableError)(nil); err != nil && !errors.As(err, &nothing) {
		return err
	}
	if by.Frame == a.node.Frame {
		return nil
	}
	out.Met = "another frame"
	return a.metInstead(d, by, out)
}

// hitInstead is the error that another element, whose ID may be 0, received the input.
func (a *Aim) hitInstead(d Actor, other page.Element) error {
	return a.metInstead(d, other, &NotDeliveredError{Met: "another element, which is gone now"})
}

// metInstead sets the names in an error, that of the other element if there is one.
func (a *Aim) metInstead(d Actor, other page.Element, out *NotDeliveredError) error {
	if other.ID != 0 {
		name, err := page.NameWithSelector(d, other)
		if err != nil && !d.Gone(err) {
			return err
		}
		if err == nil {
			out.Met = name
		}
	}
	return a.withName(d, out)
}

// unreceived is called when nothing has received the input, and returns that as an error unless the input is to be sent
// once more.
func (a *Aim) unreceived(d Actor) error {
	again, err := d.Unreceived()
	if err == nil && !again {
		err = a.undelivered(d)
	}
	return err
}

// undelivered is the error that nothing received the input.
func (a *Aim) undelivered(d Actor) error { return a.withName(d, &NotDeliveredError{}) }

// withName sets the name of the intended element in an error.
func (a *Aim) withName(d Actor, out *NotDeliveredError) error {
	if out.Element = a.name; a.node.ID == 0 {
		return out
	}
	name, err := page.Name(d, a.node)
	if err != nil && !d.Gone(err) {
		return err
	}
	if err == nil {
		out.Element = name
	}
	return out
}

// NotDeliveredError says that input was not delivered to the element that it was for. It is [fault.ErrNotDelivered].
// Element and Met quote the page, escaped.
type NotDeliveredError struct {
	// Element is the role and the name of the intended element.
	Element string
	// Met is the element that received the input instead; empty: nothing received it.
	Met string
	// CutShort says that Element received the first click of several, and that the next one, which Met would have
	// received, was held back.
	CutShort bool
	// Held says that Element received the press of a button, but not its release.
	Held bool
	// Slipped says that Element moved away between the press of a button and its release, so that there was no click.
	Slipped bool
	// Refocused says that nothing was sent any more, because the page gave the focus of Element to Met. Begun says that
	// Element has received the beginning of a text.
	Refocused, Begun bool
	// Unsent says that Element has received a text, but not the Enter after it, because Met had the focus by then.
	Unsent bool
	// Asked is the scheme of a URL of an external protocol that the page asked for before; empty: none is known.
	Asked string
	// SignIn is the title of a dialog to sign in that is open over the tab; empty: none is. See Task.RespondSignIn.
	SignIn string
	// Windows is how many windows the page opened meanwhile, each in front of it.
	Windows int
	// Stopped says that the tab was told to stop loading, which closes a dialog for a login.
	Stopped bool
}

// Error says what is known of the cause, and what to do next.
func (e *NotDeliveredError) Error() string {
	if e.CutShort {
		return fmt.Sprintf("%s was clicked once; the next click would have gone to %s and was held back; read the page again, because it has changed", e.Element, e.Met)
	}
	if e.Slipped {
		return fmt.Sprintf("the button was pressed on %s, but each time it moved away before the release, so that there was no click; read the page again, because it has changed", e.Element)
	}
	if e.Begun {
		return fmt.Sprintf("only the beginning of the text was typed into %s, because the focus went to %s; read the page before typing again", e.Element, e.Met)
	}
	if e.Unsent {
		return fmt.Sprintf("the text was typed into %s, but Enter was not pressed, because %s has the focus now; press it there, or click what sends the text", e.Element, e.Met)
	}
	if e.Refocused {
		return fmt.Sprintf("nothing was typed: as soon as %s has the focus, the page gives it to %s; type there", e.Element, e.Met)
	}
	if e.Met != "" {
		return fmt.Sprintf("the input for %s was delivered to %s; read the page again, because it has changed", e.Element, e.Met)
	}
	cause := "such as for a login, a passkey, screen sharing or a telephone link"
	login := "; one for a login closes when stop() is run in the page"
	if e.Stopped {
		cause = "such as for screen sharing or a telephone link"
		login = "; one for a login would have closed when the page was made to stop loading"
	}
	if e.Asked != "" {
		cause, login = "about a URL for another program ("+e.Asked+":), which the page asked for", ""
	}
	what := "the input for " + e.Element + " was not delivered to its page, though the browser accepted it"
	if e.Held {
		what = "the button was pressed on " + e.Element + ", but its page did not receive the release, so that there was no click"
	}
	if e.Windows > 0 {
		return what + fmt.Sprintf(": the page opened %d windows meanwhile, each in front of it; try again once it opens no more, or leave the page", e.Windows)
	}
	if e.SignIn != "" {
		return what + fmt.Sprintf(", because the browser asks %q in a dialog over it: answer or dismiss that, and try again", e.SignIn)
	}
	return what + ": most likely the browser shows a dialog of its own over the tab, " + cause + ", which no command can close" + login +
		". The page can still be read. Loading a URL, even the current one, closes the dialog and loses what the page does not keep"
}

// Unwrap returns [fault.ErrNotDelivered].
func (e *NotDeliveredError) Unwrap() error { return fault.ErrNotDelivered }
