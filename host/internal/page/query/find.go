// Package query finds elements of a page, by a selector, a text, or a role and a name, waits for them to appear or to
// go, and tells what they are and show; in every frame and shadow root.
package query

import (
	"errors"
	"fmt"
	"time"

	cdproto "github.com/chromedp/cdproto/cdp"

	"github.com/hermes-cdp/hermes-cdp/host/fault"
	"github.com/hermes-cdp/hermes-cdp/host/internal/page"
)

// Tab is a driver that can both run functions in frames and read whole pages.
type Tab interface {
	page.Reader
	page.Actor
}

// frameTimeout is how long one frame may hold up the search in the others.
const frameTimeout = 1500 * time.Millisecond

// findIn returns the first match of a selector in the document, or else in its shadow roots, each before those within
// it. The page's own world cannot observe the search.
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

// Find returns the first match of a CSS selector in a frame, or without a frame in all frames of the tab, the top one
// first. It waits for a match as long as the driver's patience lasts.
//
// Open and closed shadow roots are searched too, but all of a match is within one root. Errors: ErrNotFound,
// ErrSelector, and the driver's. Frames that do not answer hold up the search only for a moment. If nothing is found in
// the others, they get half of the remaining time, as they may just be busy.
func Find(d page.Actor, selector string, frame cdproto.FrameID) (page.Element, error) {
	return awaitFound(d, func() (page.Element, error) { return FindNow(d, selector, frame) })
}

// awaitFound searches repeatedly, less and less often, while nothing is found and the driver's patience lasts, which is
// its ReadyLimit from the first answer on: a page that is slow to answer is not one where nothing appears. A page that
// answered once that nothing is there, and then no more, has given an answer: the error is ErrNotFound, and says both.
func awaitFound(d page.Actor, find func() (page.Element, error)) (page.Element, error) {
	patience := d.WaitLimit()
	end := time.Now().Add(patience)
	var nothing error
	for next := FirstLook; ; next = min(2*next, LastLook) {
		began := time.Now()
		n, err := find()
		pause := max(next, time.Since(began)) // the page gets at least as long between two searches as one takes
		switch {
		case nothing != nil && (errors.Is(err, fault.ErrRendererBusy) || errors.Is(err, fault.ErrTimeout)):
			return page.Element{}, fmt.Errorf("%w; since then: %w", nothing, err)
		case !errors.Is(err, page.ErrNotFound):
			return n, err
		case nothing == nil && d.ReadyLimit() < time.Until(end):
			patience = d.ReadyLimit()
			end = time.Now().Add(patience)
		}
		if time.Now().Add(pause).After(end) {
			return n, fmt.Errorf("%w within %v", err, patience.Round(100*time.Millisecond))
		}
		nothing = err
		if err := Sleep(d, pause); err != nil {
			return page.Element{}, err
		}
	}
}

// FindNow is one search of Find.
func FindNow(d page.Actor, selector string, frame cdproto.FrameID) (page.Element, error) {
	if frame != "" {
		id, err := findInFrame(d, selector, frame)
		if err == nil && id == 0 {
			err = fmt.Errorf("%w the selector %q", page.ErrNotFound, selector)
		}
		return page.Element{Frame: frame, ID: id}, err
	}
	found, unresponsive, _, err := findInFrames(d.WithThreadTimeout(frameTimeout), selector, page.OpenFrames(d.Frames()))
	if found.ID != 0 || err != nil {
		return found, err
	}
	found, unresponsive, why, err := findInFrames(d.WithThreadTimeout(0), selector, unresponsive)
	switch {
	case found.ID != 0 || err != nil:
		return found, err
	case len(unresponsive) > 0:
		return page.Element{}, fmt.Errorf("nothing in the frames that answer matches the selector %q: %w", selector, why)
	}
	return page.Element{}, fmt.Errorf("%w the selector %q", page.ErrNotFound, selector)
}

// findInFrames returns the first match in some frames, if there is one, and else those that did not answer, with the
// last error of them.
func findInFrames(d page.Actor, selector string, frames []page.Frame) (found page.Element, unresponsive []page.Frame, why, err error) {
	for _, f := range frames {
		id, err := findInFrame(d, selector, f.ID)
		switch {
		case err == nil && id != 0:
			return page.Element{Frame: f.ID, ID: id}, nil, nil, nil
		case err == nil || d.Gone(err):
		case d.Unresponsive(err):
			unresponsive, why = append(unresponsive, f), err
		default:
			return page.Element{}, nil, nil, err
		}
	}
	return page.Element{}, unresponsive, why, nil
}

// findInFrame returns the first match in a frame, or 0.
func findInFrame(d page.Actor, selector string, frame cdproto.FrameID) (hit cdproto.BackendNodeID, err error) {
	err = inRoots(d, frame, findIn, []any{selector}, &hit, func() bool { return hit != 0 })
	if err != nil {
		return 0, selectorError(d, selector, frame, err)
	}
	return hit, nil
}

// selectorError makes an error of the selector if that is why a search failed.
func selectorError(d page.Actor, selector string, frame cdproto.FrameID, err error) error {
	if d.Context().Err() != nil || d.Unresponsive(err) || d.Gone(err) {
		return err
	}
	valid := true
	asked := d.Run(frame, 0, `(s) => { try { new DocumentFragment().querySelector(s); return true } catch { return false } }`, []any{selector}, &valid)
	if asked == nil && !valid {
		return fmt.Errorf("%w: %q", page.ErrSelector, selector)
	}
	return err
}
