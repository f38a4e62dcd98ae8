package page

import (
	"fmt"
	"time"

	"github.com/chromedp/cdproto/cdp"
)

// frameTimeout is how long a frame may let the search of the others wait.
const frameTimeout = 1500 * time.Millisecond

// findIn gives the first match of a selector in the document, or else in the shadow roots in it, each before those within
// it; the page's own world can not see it at work.
const findIn = `(closed, selector) => {
	const below = (` + rootOf + `)(closed);
	const visit = root => {
		const hit = root.querySelector(selector);
		if (hit) return hit;
		for (const e of root.querySelectorAll("*")) {
			const inner = below(e), hit = inner && visit(inner);
			if (hit) return hit;
		}
		return null;
	};
	return visit(document);
}`

// Find gives the first match of a CSS selector in a frame, or with no frame in all frames of the tab, the top one first.
// Open and closed shadow roots are searched too, each part of a match within one root. Errors: ErrNotFound, ErrSelector, and the driver's. A frame that does not
// answer is left out; only when nothing is found elsewhere it is the error.
func Find(d Actor, selector string, frame cdp.FrameID) (Element, error) {
	frames := []Frame{{ID: frame}}
	if frame == "" {
		frames = d.Frames()
		d = d.Impatient(frameTimeout)
	}
	var silent error
	for _, f := range frames {
		id, err := findInFrame(d, selector, f.ID)
		switch {
		case err == nil && id != 0:
			return Element{f.ID, id}, nil
		case err == nil:
		case frame == "" && d.Unresponsive(err):
			silent = err
		case frame == "" && d.Gone(err):
		default:
			return Element{}, err
		}
	}
	if silent != nil {
		return Element{}, fmt.Errorf("nothing in the frames that answer matches the selector %q: %w", selector, silent)
	}
	return Element{}, fmt.Errorf("%w %q", ErrNotFound, selector)
}

// findInFrame gives the first match in a frame, or 0.
func findInFrame(d Actor, selector string, frame cdp.FrameID) (hit cdp.BackendNodeID, err error) {
	err = inRoots(d, frame, findIn, []any{selector}, &hit, func() bool { return hit != 0 })
	if err != nil {
		return 0, selectorError(d, selector, frame, err)
	}
	return hit, nil
}

// selectorError says whether it was the selector that made a search fail.
func selectorError(d Actor, selector string, frame cdp.FrameID, err error) error {
	if d.Context().Err() != nil || d.Unresponsive(err) || d.Gone(err) {
		return err
	}
	valid := true
	asked := d.Run(frame, 0, `(s) => { try { new DocumentFragment().querySelector(s); return true } catch { return false } }`, []any{selector}, &valid)
	if asked == nil && !valid {
		return fmt.Errorf("%w: %q", ErrSelector, selector)
	}
	return err
}
