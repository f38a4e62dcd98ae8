package query

import (
	"cmp"
	"context"
	"strings"
	"time"

	cdproto "github.com/chromedp/cdproto/cdp"
	"github.com/hermes-cdp/hermes-cdp/host/internal/page"
)

// Awaited is what to wait for, in one frame or in all.
type Awaited struct {
	Selector string // or Text
	Text     string
	Frame    cdproto.FrameID
	Present  bool // otherwise the wait is for its absence
	Visible  bool // only visible matches count
}

// anyMatch returns whether there is a match in a document or its shadow roots; with visible, only one that can be seen
// and takes up space counts.
const anyMatch = `(closed, selector, visible) => {
	const below = (` + rootOf + `)(closed);
	const seen = e => [...ask(Element, "getClientRects", e)].some(r => r.width > 0 && r.height > 0) && getComputedStyle(e).visibility === "visible" &&
		ask(Element, "checkVisibility", e);
	const visit = root => {
		for (const e of root.querySelectorAll(selector)) if (!visible || seen(e)) return true;
		for (const e of root.querySelectorAll("*")) { const inner = below(e); if (inner && visit(inner)) return true }
		return false;
	};
	return visit(document);
}`

const (
	FirstLook = 20 * time.Millisecond
	LastLook  = 250 * time.Millisecond
	// slowLook is how long one check of a responsive page may take.
	slowLook = 500 * time.Millisecond
)

// Await is Until for what is awaited to have appeared or disappeared.
func Await(d page.Actor, a Awaited, limit time.Duration) (bool, error) {
	return Until(d, limit, func() (bool, error, error) {
		there, unresponsive, err := a.matches(d)
		return there == a.Present && unresponsive == nil, unresponsive, err
	})
}

// Until looks at a page repeatedly, less and less often, until something is so, and reports whether that happened
// within a limit; 0 means the limit of the driver. A look at a large page takes a while, and the page gets at least as
// long between two. A look also returns the error of a top frame that does not answer; if it did not until the end,
// the error says so.
func Until(d page.Actor, limit time.Duration, look func() (is bool, unresponsive, err error)) (bool, error) {
	end := time.Now().Add(limit)
	var unresponsive error
	for next := FirstLook; ; next = min(2*next, LastLook) {
		began := time.Now()
		is, now, err := look()
		if err != nil && d.Context().Err() != nil && time.Since(began) < slowLook {
			// This look began too late to mean anything: the one before counts.
			err = cmp.Or(unresponsive, context.Cause(d.Context()))
		}
		unresponsive = now
		if err != nil || is {
			return err == nil, err
		}
		pause := max(next, time.Since(began))
		if limit > 0 && time.Now().Add(pause).After(end) {
			return false, unresponsive
		}
		if err := Sleep(d, pause); err != nil {
			return false, cmp.Or(unresponsive, err)
		}
	}
}

// matches checks once. Frames that do not answer do not match; unresponsive is the error of the top frame.
func (a Awaited) matches(d page.Actor) (there bool, unresponsive, err error) {
	frames := []page.Frame{{ID: a.Frame}}
	if a.Frame == "" {
		frames = page.OpenFrames(d.Frames())
		d = d.WithThreadTimeout(frameTimeout)
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
				unresponsive = err
			}
		default:
			return false, nil, err
		}
	}
	return false, unresponsive, nil
}

func (a Awaited) inFrame(d page.Actor, frame cdproto.FrameID) (there bool, err error) {
	if a.Text != "" {
		return hasText(d, frame, strings.Join(strings.Fields(a.Text), " "))
	}
	err = inRoots(d, frame, anyMatch, []any{a.Selector, a.Visible}, &there, func() bool { return there })
	if err != nil {
		return false, selectorError(d, a.Selector, frame, err)
	}
	return there, nil
}

// Sleep pauses between two checks of a page.
func Sleep(d page.Actor, pause time.Duration) error {
	timer := time.NewTimer(pause)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-d.Context().Done():
		return context.Cause(d.Context())
	}
}
