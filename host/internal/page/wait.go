package page

import (
	"errors"
	"time"

	"github.com/chromedp/cdproto/cdp"
)

// Awaited is what is waited for, in one frame or in all.
type Awaited struct {
	Selector string // or Text
	Text     string
	Frame    cdp.FrameID
	Present  bool // else it is waited for until it is not there any more
	Visible  bool // a match that is not visible counts as none
}

// anyMatch tells whether a match is there below a root, open shadow roots included; with visible one that can be seen.
const anyMatch = `(selector, visible) => {
	const seen = e => e.getClientRects().length > 0 && getComputedStyle(e).visibility === "visible" && (!e.checkVisibility || e.checkVisibility());
	const visit = root => {
		for (const e of root.querySelectorAll(selector)) if (!visible || seen(e)) return true;
		for (const e of root.querySelectorAll("*")) if (e.shadowRoot && visit(e.shadowRoot)) return true;
		return false;
	};
	return visit(document);
}`

const (
	firstLook = 20 * time.Millisecond
	lastLook  = 250 * time.Millisecond
)

// Await looks again and again, less and less often, until what is awaited has come or gone; it tells whether it did within a
// limit. No limit is that of the driver.
func Await(d Actor, a Awaited, limit time.Duration) (bool, error) {
	end := time.Now().Add(limit)
	for pause := firstLook; ; pause = min(2*pause, lastLook) {
		there, err := a.there(d)
		if err != nil || there == a.Present {
			return err == nil, err
		}
		if limit > 0 && time.Now().Add(pause).After(end) {
			return false, nil
		}
		if err := sleep(d, pause); err != nil {
			return false, err
		}
	}
}

// there looks once. Frames that do not answer have nothing.
func (a Awaited) there(d Actor) (bool, error) {
	if a.Text != "" {
		return HasText(d, a.Frame, a.Text)
	}
	frames := []Frame{{ID: a.Frame}}
	if a.Frame == "" {
		frames = d.Frames()
		d = d.Impatient(frameTimeout)
	}
	for _, f := range frames {
		there, err := a.inFrame(d, f.ID)
		switch {
		case err == nil && there:
			return true, nil
		case err == nil:
		case a.Frame == "" && (d.Unresponsive(err) || d.Gone(err)):
		default:
			return false, err
		}
	}
	return false, nil
}

func (a Awaited) inFrame(d Actor, frame cdp.FrameID) (bool, error) {
	var there bool
	if err := d.Run(frame, 0, anyMatch, []any{a.Selector, a.Visible}, &there); err != nil {
		return false, selectorError(d, a.Selector, frame, err)
	}
	if there {
		return true, nil
	}
	roots, err := closedRoots(d, frame)
	if err != nil {
		return false, err
	}
	for _, root := range roots {
		var hit cdp.BackendNodeID
		if err := d.Run(frame, root, findIn, []any{a.Selector}, &hit); err != nil {
			return false, err
		}
		if hit == 0 {
			continue
		}
		seen, err := a.seen(d, Element{frame, hit})
		if err != nil || seen {
			return seen, err
		}
	}
	return false, nil
}

// seen tells whether a match counts.
func (a Awaited) seen(d Actor, n Element) (bool, error) {
	if !a.Visible {
		return true, nil
	}
	err := condition(d, n, 0, false)
	var not *NotActionableError
	if errors.As(err, &not) {
		return not.Obstacle == Moving, nil
	}
	return true, err
}
