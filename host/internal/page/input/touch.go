package input

import (
	"time"

	"github.com/chromedp/cdproto/input"

	"github.com/hermes-cdp/hermes-cdp/host/internal/page/geometry"
	"github.com/hermes-cdp/hermes-cdp/host/internal/page/query"
)

// On a touch screen, pages listen for fingers, and often for nothing else: the keys of a number pad, what is swiped and
// what is pulled. A tap ends with the events of a mouse and a click, a drag does not.
//
// https://www.w3.org/TR/touch-events/#mouse-events

// touch is one event of a finger: where it is, or, without a place, that it has left the screen.
func touch(d Actor, kind input.DispatchTouchEventType, at ...geometry.Point) error {
	p := &input.DispatchTouchEventParams{Type: kind, TouchPoints: make([]*input.TouchPoint, len(at))}
	for i, at := range at {
		p.TouchPoints[i] = &input.TouchPoint{X: at.X, Y: at.Y}
	}
	return d.Act("", input.CommandDispatchTouchEvent, p, nil)
}

// tap touches a point for a moment.
func (a *Aim) tap(d Actor, at geometry.Point) error {
	err := a.touchHeld(d, at)
	if what := d.Announced(a.id); err == nil && what != HeldBack {
		err = touch(d, input.DispatchTouchEventTypeTouchEnd)
		if err == nil && what == "" && !a.unverifiable {
			err = a.awaitClick(d) // which may be all that the page hears
		}
	}
	return err
}

// touchHeld touches a point. A touch that would have hit another element is taken back, so that no click follows.
func (a *Aim) touchHeld(d Actor, at geometry.Point) error {
	err := touch(d, input.DispatchTouchEventTypeTouchStart, at)
	if err == nil && d.Announced(a.id) == HeldBack {
		err = touch(d, input.DispatchTouchEventTypeTouchCancel)
	}
	return err
}

const (
	// clickAfter is how long the click may take after the end of a tap: on a page that can be zoomed by a double tap,
	// Chromium waits 300 ms for the second one.
	clickAfter = 600 * time.Millisecond
	// clickLook is how often to check for it.
	clickLook = 5 * time.Millisecond
)

// awaitClick waits until the page has handled the click of a tap, or for the time in which it would have come, and
// removes the listener then, which would keep later ones from other elements.
func (a *Aim) awaitClick(d Actor) error {
	for end := time.Now().Add(clickAfter); time.Now().Before(end) && !a.replaced(d); {
		if what := d.Announced(a.id); what == letGo || what == slipped {
			break
		}
		if err := query.Sleep(d, clickLook); err != nil {
			return err
		}
	}
	_, err := d.RunUnlessLeft(a.node.Frame, 0, stopListening, nil, nil) // the click was announced before the page had it
	if d.Gone(err) {
		return nil
	}
	return err
}
