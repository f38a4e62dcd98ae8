package act

import (
	"cmp"
	"context"
	"fmt"

	"github.com/hermes-cdp/hermes-cdp/host/fault"
	"github.com/hermes-cdp/hermes-cdp/host/internal/page"
	"github.com/hermes-cdp/hermes-cdp/host/internal/page/query"
	"github.com/hermes-cdp/hermes-cdp/internal/optional"
)

// Inspected is what [Tab.Inspect] says of an element.
type Inspected string

// What [Tab.Inspect] says of an element.
const (
	InspectHTML      Inspected = "html"
	InspectValue     Inspected = "value"
	InspectAttribute Inspected = "attribute"
	InspectStyle     Inspected = "style"
	InspectState     Inspected = "state"
	InspectBox       Inspected = "box"
)

// InspectOptions are the options of [Tab.Inspect].
type InspectOptions struct {
	// Name is the attribute or the CSS property. Without one, the style has the properties that matter most.
	Name string
	// MaxChars is where a text is cut, in UTF-16 code units; default 20,000. No character is cut in two.
	MaxChars int
}

const defaultInspect = 20_000

// Inspection is what [Tab.Inspect] was asked. Its texts are the page's, and untrusted.
type Inspection struct {
	// Element is the role and the name of the element.
	Element string
	// Text is its HTML, its value or an attribute; nil if it has no value or no such attribute. Passwords are masked. The
	// value of a list that takes several options has those that are chosen, each on a line.
	Text *string
	// Chars is how many UTF-16 code units the text has in full, and Truncated says that it was cut.
	Chars     int
	Truncated bool
	// Style are computed values by CSS property.
	Style map[string]string
	// State says whether it is visible, enabled, editable, focused and, if it can be, checked.
	State map[string]bool
	// Box is where it is in the viewport of the tab, whichever frame it is in; nil if it is not drawn.
	Box *Box
	// Origin is that of its document.
	Origin string
}

// Box is a rectangle in the viewport of a tab, in CSS pixels.
type Box struct {
	X, Y, Width, Height float64
	// InView says that at least a part of it is in the viewports of the tab and of all frames around it. It may still be
	// covered, or cut off by a box that scrolls.
	InView bool
}

// Inspect says one thing of an element: its HTML, without shadow roots and frames, its value, an attribute, its
// computed style, its state or its box. Errors: ErrBadArguments, and those of [Tab.Text].
func (t Tab) Inspect(ctx context.Context, l Locator, what Inspected, options *InspectOptions) (_ Inspection, err error) {
	defer fault.During("inspect", &err)
	o := optional.Or(options)
	switch what {
	case InspectHTML, InspectValue, InspectStyle, InspectState, InspectBox:
	case InspectAttribute:
		if o.Name == "" {
			return Inspection{}, fmt.Errorf("%w: the name of the attribute is missing", fault.ErrBadArguments)
		}
	default:
		return Inspection{}, fmt.Errorf("%w: %q cannot be inspected: html, value, attribute, style, state or box can", fault.ErrBadArguments, what)
	}
	if o.MaxChars < 0 {
		return Inspection{}, fmt.Errorf("%w: max_chars %d is negative", fault.ErrBadArguments, o.MaxChars)
	}
	tab, err := t.targetOf(l)
	if err != nil {
		return Inspection{}, err
	}
	value, err := t.pages.onPage(ctx, tab, func(d *driver) (any, error) {
		out, err := t.pages.inspect(d, l, what, o)
		return out, actError(err)
	})
	out, _ := value.(Inspection)
	return out, err
}

func (p *Pages) inspect(d *driver, l Locator, what Inspected, o InspectOptions) (out Inspection, err error) {
	n, err := p.find(d, l)
	if err != nil {
		return out, err
	}
	out.Origin = d.origin(n.Frame)
	if out.Element, err = page.Name(d, n); err != nil {
		return out, err
	}
	if what == InspectBox {
		out.Box, err = boxOf(d, n)
		return out, err
	}
	got, err := query.Inspect(d, n, string(what), o.Name, cmp.Or(o.MaxChars, defaultInspect))
	if err != nil {
		return out, err
	}
	out.Style, out.State = got.Style, got.State
	if what != InspectStyle && what != InspectState && !got.None {
		out.Text, out.Chars, out.Truncated = &got.Text, got.Chars, got.Chars > cmp.Or(o.MaxChars, defaultInspect)
	}
	return out, nil
}

func boxOf(d *driver, n page.Element) (*Box, error) {
	at, inView, drawn, err := page.BoxInTab(d, n)
	if err != nil || !drawn {
		return nil, err
	}
	return &Box{X: at[0], Y: at[1], Width: at[2], Height: at[3], InView: inView}, nil
}
