package page

import (
	"cmp"
	"context"
	"strings"
	"time"

	cdproto "github.com/chromedp/cdproto/cdp"
)

// Awaited is what is waited for, in one frame or in all.
type Awaited struct {
	Selector string // or Text
	Text     string
	Frame    cdproto.FrameID
	Present  bool // else it is waited for until it is not there any more
	Visible  bool // a match that is not visible counts as none
}

// anyMatch tells whether a match is there in a document or the shadow roots in it; with visible one that can be seen, which
// takes some room.
const anyMatch = `(closed, selector, visible) => {
	const below = (` + rootOf + `)(closed);
	const seen = e => [...e.getClientRects()].some(r => r.width > 0 && r.height > 0) && getComputedStyle(e).visibility === "visible" &&
		(!e.checkVisibility || e.checkVisibility());
	const visit = root => {
		for (const e of root.querySelectorAll(selector)) if (!visible || seen(e)) return true;
		for (const e of root.querySelectorAll("*")) { const inner = below(e); if (inner && visit(inner)) return true }
		return false;
	};
	return visit(document);
}`

const (
	firstLook = 20 * time.Millisecond
	lastLook  = 250 * time.Millisecond
	// sluggish is how long a page that is well may take for one look.
	slowLook = 500 * time.Millisecond
)

// Await looks again and again, less and less often, until what is awaited has come or gone; it tells whether it did within a
// limit. No limit is that of the driver. A look at a large page takes a while, and the page has at least as long between two.
// Where the top frame was silent until the end, the error says so.
func Await(d Actor, a Awaited, limit time.Duration) (bool, error) {
	end := time.Now().Add(limit)
	var silent error
	for next := firstLook; ; next = min(2*next, lastLook) {
		began := time.Now()
		there, now, err := a.matches(d)
		if err != nil && d.Context().Err() != nil && time.Since(began) < slowLook {
			err = cmp.Or(silent, context.Cause(d.Context())) // the look came too late, whatever it met: the one before counts
		}
		silent = now
		if err != nil || there == a.Present {
			return err == nil, err
		}
		pause := max(next, time.Since(began))
		if limit > 0 && time.Now().Add(pause).After(end) {
			return false, silent
		}
		if err := sleep(d, pause); err != nil {
			return false, cmp.Or(silent, err)
		}
	}
}

// there looks once. Frames that do not answer have nothing; silent is why the top one did not.
func (a Awaited) matches(d Actor) (there bool, silent, err error) {
	frames := []Frame{{ID: a.Frame}}
	if a.Frame == "" {
		frames = d.Frames()
		d = d.Impatient(frameTimeout)
	}
	for _, f := range frames {
		there, err := a.inFrame(d, f.ID)
		switch {
		case err == nil && there:
			return true, nil, nil
		case err == nil:
		case a.Frame == "" && d.Gone(err):
		case a.Frame == "" && d.Unresponsive(err):
			if f.Parent == "" {
				silent = err
			}
		default:
			return false, nil, err
		}
	}
	return false, silent, nil
}

func (a Awaited) inFrame(d Actor, frame cdproto.FrameID) (there bool, err error) {
	if a.Text != "" {
		return hasText(d, frame, strings.Join(strings.Fields(a.Text), " "))
	}
	err = inRoots(d, frame, anyMatch, []any{a.Selector, a.Visible}, &there, func() bool { return there })
	if err != nil {
		return false, selectorError(d, a.Selector, frame, err)
	}
	return there, nil
}
