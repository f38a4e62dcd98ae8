package act

import (
	"errors"
	"fmt"
	"strings"
	"time"

	cdproto "github.com/chromedp/cdproto/cdp"

	"github.com/hermes-cdp/hermes-cdp/host/fault"
	"github.com/hermes-cdp/hermes-cdp/host/internal/page"
	"github.com/hermes-cdp/hermes-cdp/host/internal/page/query"
)

// Locator names an element of a tab, in exactly one way: by Ref, Selector, Role and Name, Text, or BackendNodeID. With
// FrameID alone it names a frame. The zero value names no element: what that means, each option says.
type Locator struct {
	// Ref is a ref from a reading of the page, such as e5 or @e5. It implies the tab and the frame.
	Ref string
	// Selector is a CSS selector, of which the first match is taken: one in the document, or else in its shadow roots,
	// open and closed, each before those within it. A selector does not cross shadow boundaries: all of a match is within
	// one root.
	Selector string
	// Role and Name are those of an element in a reading of the page: button, "Save". Only one element may have them.
	// Upper and lower case differ, unless nothing is found otherwise.
	Role, Name string
	// Text is what the innermost visible element with it shows, or else a part of that; runs of white space count as one
	// space. Only one element may show it. Upper and lower case differ, unless nothing is found otherwise.
	Text string
	// BackendNodeID is the DOM domain's backendNodeId. It is only unique within a process: without a frame it is one of
	// the top frame's process, with a frame it must be in that frame.
	BackendNodeID int64
	// FrameID is the frame in which the element is; empty: any frame of the tab, the top one first.
	FrameID string
	// Within is how long the element may take to appear, from when the page first says that it is not there, and then to
	// become actionable. 0: most of the time of the call.
	Within time.Duration

	unnamed bool // a constructor was given an empty name, which must not be taken for none
}

// ByRef names an element by its ref in a reading of the page.
func ByRef(ref string) Locator { return Locator{Ref: ref, unnamed: ref == ""} }

// BySelector names the first match of a CSS selector.
func BySelector(css string) Locator { return Locator{Selector: css, unnamed: css == ""} }

// ByRole names the element with a role and a name, as a reading of the page shows them.
func ByRole(role, name string) Locator { return Locator{Role: role, Name: name, unnamed: role == ""} }

// ByText names the innermost element that shows a text.
func ByText(text string) Locator { return Locator{Text: text, unnamed: strings.TrimSpace(text) == ""} }

// InFrame names a frame.
func InFrame(id string) Locator { return Locator{FrameID: id} }

// In is the same element, searched only in one frame.
func (l Locator) In(frameID string) Locator {
	l.FrameID = frameID
	return l
}

// String describes the element for errors.
func (l Locator) String() string {
	switch {
	case l.Ref != "":
		return "@" + l.Ref
	case l.Role != "" || l.Name != "":
		return page.Describe(l.Role, l.Name)
	case l.Text != "":
		return page.Describe("the text", l.Text)
	case l.BackendNodeID != 0:
		return fmt.Sprintf("the backend node id %d", l.BackendNodeID)
	}
	return l.Selector
}

// isZero reports whether the locator names no element, at most a frame.
func (l Locator) isZero() bool { return l.In("") == Locator{Within: l.Within} }

// check rejects a locator that does not name an element in exactly one way.
func (l Locator) check() error {
	ways := 0
	for _, given := range []bool{l.Ref != "", l.Selector != "", l.Role != "" || l.Name != "", l.Text != "", l.BackendNodeID != 0} {
		if given {
			ways++
		}
	}
	switch {
	case l.unnamed:
		return fmt.Errorf("%w: the ref, selector, role or text that must name the element is empty", fault.ErrBadArguments)
	case ways != 1:
		return fmt.Errorf("%w: exactly one of ref, selector, role with name, text, and backend node id must name the element", fault.ErrBadArguments)
	case l.Name != "" && l.Role == "":
		return fmt.Errorf("%w: the name %q needs a role", fault.ErrBadArguments, l.Name)
	case l.Ref != "" && l.FrameID != "":
		return fmt.Errorf("%w: the ref %s names its frame; leave the frame id out", fault.ErrBadArguments, l.Ref)
	}
	return nil
}

// find returns the element of a locator in the tab of a driver. It waits for an element that is not there yet.
func (p *Pages) find(d *driver, l Locator) (page.Element, error) {
	if l.Ref != "" {
		n, _, err := p.findRef(d, l)
		return n, err
	}
	if err := l.check(); err != nil {
		return page.Element{}, err
	}
	if l.BackendNodeID != 0 {
		return page.Element{Frame: cdproto.FrameID(l.FrameID), ID: cdproto.BackendNodeID(l.BackendNodeID)}, nil
	}
	d.within = l.Within
	n, err := p.search(d, l)
	if errors.Is(err, page.ErrNotFound) && d.isLoading() {
		err = fmt.Errorf("%w; the page, or a frame of it, is still loading", err)
	}
	return n, err
}

// search looks for the element of a locator that is neither a ref nor an id.
func (p *Pages) search(d *driver, l Locator) (page.Element, error) {
	frame := cdproto.FrameID(l.FrameID)
	switch {
	case l.Role != "":
		return query.FindRole(d, p.readings.refs, l.Role, l.Name, frame)
	case l.Text != "":
		return query.FindText(d, p.readings.refs, l.Text, frame, d.ofField)
	}
	return query.Find(d, l.Selector, frame)
}

// findRef returns the element of a ref, and its role and name as errors give them; empty if they are not known.
func (p *Pages) findRef(d *driver, l Locator) (n page.Element, name string, err error) {
	if err := l.check(); err != nil {
		return page.Element{}, "", err
	}
	e, err := p.liveRef(d, l.Ref)
	if e.Role != "" {
		name = page.Describe(e.Role, e.Name)
	}
	return page.Element{Frame: cdproto.FrameID(e.Frame), ID: cdproto.BackendNodeID(e.BackendNodeID)}, name, err
}
