package input

import (
	"errors"
	"time"

	cdproto "github.com/chromedp/cdproto/cdp"

	"github.com/hermes-cdp/hermes-cdp/host/internal/page"
	"github.com/hermes-cdp/hermes-cdp/host/internal/page/geometry"
	"github.com/hermes-cdp/hermes-cdp/host/internal/page/query"
)

// afterFrame waits, if a loose press has arrived, until the page has drawn its next frame, which takes a busy machine a
// while, and done what it has deferred until then; for a moment where the document says that it draws none. The button
// is held that long on what is no control: pages that let it be dragged as well may not listen for the release before.
// People hold it for some 80 ms.
const afterFrame = `() => !own.arrival?.loose ? null :
	(document.hidden ? frame() : Promise.race([new Promise(requestAnimationFrame), after(300)])).then(() => after(0)).then(() => null)`

// Click clicks what is aimed at a number of times while keys are held down, or taps it if a finger can do the same on
// the touch screen, and verifies the delivery. The error is that of [Aim.press].
func (a *Aim) Click(d Actor, button Button, times int64, held Held) error {
	if a.byKey && (button != Left || len(held) > 0) {
		return notActionable(d, a.node, Hidden, "only the keyboard reaches it")
	}
	a.taps = d.Touches() && button == Left && times == 1 && len(held) == 0
	return held.during(d, func(bits int64) error {
		input := func(at geometry.Point) error {
			if a.taps {
				return a.tap(d, at)
			}
			for count := int64(1); count <= times; count++ {
				if err := press(d, at, button, count, bits); err != nil {
					return err
				}
				// What a busy page announces may come after the browser's reply to the press.
				if what := d.Announced(a.id); what == arrivedLoosely || what == "" && !a.unverifiable {
					_ = d.Run(a.node.Frame, 0, afterFrame, nil, nil) // if the page cannot be asked, the release says so
				}
				if err := release(d, at, button, count, bits); err != nil {
					return err
				}
			}
			return nil
		}
		return a.press(d, int(times), button != Right, input) // the right button opens a menu, which may get the release
	})
}

// press moves the pointer to what is aimed at and sends input that presses a button there, a number of times. Pages
// react to the pointer: menus close, hints open, elements move away. So the hit test is made once more when the pointer
// is there, and a press that would even then hit another element is held back. Both are tried again as long as the
// driver's patience lasts, as is a press from which the element has slipped away, or a single one whose release a
// dialog of the page took; a press that nothing received is sent once more, and again as [Aim.Deliver] does. With
// releases, the page must receive those of the button, too. The error is a [*NotActionableError] if nothing was
// pressed, a [*NotDeliveredError], or the driver's.
func (a *Aim) press(d Actor, presses int, releases bool, input func(at geometry.Point) error) (err error) {
	if a.byKey {
		return a.pressByKey(d)
	}
	if a.force || a.unverifiable {
		err := a.Deliver(d, func(at geometry.Point) error {
			if !a.taps {
				if err := Move(d, at); err != nil {
					return err
				}
			}
			return input(at)
		})
		if err == nil && releases {
			_, err = a.letGo(d, presses)
		}
		return err
	}
	defer func() {
		if err != nil && d.Context().Err() == nil {
			_ = d.Run(a.node.Frame, 0, stopListening, nil, nil) // else the listener ends by itself, later
		}
	}()
	end, sent, slips := time.Now().Add(d.WaitLimit()), false, false
	for pause := query.FirstLook; ; pause = min(2*pause, query.LastLook) {
		by, err := a.approach(d, presses)
		lost := false
		if err == nil && by == (page.Element{}) {
			again := sent
			if err := a.send(d, input); err != nil {
				return err
			}
			what, err := a.arrived(d)
			if err == nil && releases && (what == ArrivedThere || what == letGo) {
				what, err = a.letGo(d, presses)
			}
			if not := (*NotDeliveredError)(nil); presses == 1 && errors.As(err, &not) && not.Held {
				var wrong error
				if lost, wrong = d.Unreleased(); wrong != nil {
					return wrong
				}
			}
			switch {
			case lost: // the click with its release
			case err != nil:
				return err
			case what == HeldBack:
				if by, err = a.met(d); err != nil {
					return err
				}
				a.taps = false // Chromium gives a touch to what can be clicked beside it
			case what == slipped:
				a.taps = a.taps && !slips // a mouse that hovers may be what moves it each time
				by, slips = a.node, true
			case what == cutShort:
				return a.cutShortError(d)
			case what == ArrivedElsewhere:
				return a.misdelivered(d)
			case what != "":
				return nil
			case again:
				if err := a.unreceived(d); err != nil {
					return err
				}
				lost = true
			default:
				sent, lost = true, true
			}
		}
		if err != nil && !d.Gone(err) {
			return err
		}
		over := time.Now().Add(pause).After(end)
		if over && lost {
			return a.undelivered(d)
		}
		err = a.again(d, by, over, pause)
		if not := (*NotActionableError)(nil); slips && errors.As(err, &not) {
			return a.withName(d, &NotDeliveredError{Slipped: true})
		}
		if err != nil {
			return err
		}
	}
}

// approach moves the pointer to what is aimed at, and returns the element that a hit test finds there instead: zero if
// it finds the one that is aimed at, which then is the only one that can be pressed.
func (a *Aim) approach(d Actor, presses int) (page.Element, error) {
	if a.taps { // a finger comes from nowhere
		a.spot.unseen = false
	} else {
		move := moveAtOnce
		// The character would go to the process with the focus, which may be busy.
		if a.spot.animated || a.spot.isMultiProcess(d) {
			move = Move
		}
		if err := move(d, a.At); err != nil {
			return page.Element{}, err
		}
	}
	if a.spot.animated { // what moves shows it in the next frame, which a move of the pointer does not always wait for
		if err := page.AwaitDrawn(d, a.node.Frame); err != nil {
			return page.Element{}, err
		}
	}
	was := a.id
	a.id, a.presses = aimIDs.Add(1), presses
	if len(a.spot.path) > 1 { // the frame may have moved
		now, err := locate(d, a.node, a.spot.path)
		if err != nil {
			return page.Element{}, err
		}
		if now.inTab() != a.At {
			return a.node, nil
		}
	}
	return a.spot.obstacle(d, a, was)
}

// again aims again at an element that the pointer did not meet. If the time for that is over, the error names what it
// met instead.
func (a *Aim) again(d Actor, by page.Element, over bool, pause time.Duration) error {
	if over {
		return a.missedError(d, by)
	}
	if err := query.Sleep(d, pause); err != nil {
		return err
	}
	next, err := a.readyAgain(d)
	for end := time.Now().Add(d.ReadyLimit()); a.Again != nil && WasReplaced(err) && time.Now().Before(end); {
		next, err = a.readyAgain(d)
	}
	switch {
	case errors.Is(err, page.ErrNotFound):
		return notActionable(d, a.node, Detached, "")
	case err != nil:
		return err
	}
	next.Again, next.taps = a.Again, a.taps
	*a = *next
	return nil
}

// readyAgain aims at the element, or at the one that the page has replaced it with.
func (a *Aim) readyAgain(d Actor) (*Aim, error) {
	if a.Again == nil {
		return awaitReady(d, a.node, a.signs)
	}
	n, err := a.Again()
	if err != nil {
		return nil, err
	}
	return awaitReady(d, n, a.signs)
}

// missedError is the error that the pointer met another element each time.
func (a *Aim) missedError(d Actor, by page.Element) error {
	if by.ID == 0 || by == a.node {
		return notActionable(d, a.node, Moving, "")
	}
	err := coveredError(d, a.node, by, a.spot, nil)
	if not := (&NotActionableError{}); errors.As(err, &not) && not.Obstacle == Covered {
		not.By += " as soon as the pointer is there"
	}
	return err
}

// cutShortError is the error that another element would have received the second press.
func (a *Aim) cutShortError(d Actor) error {
	err := a.misdelivered(d)
	if not := (&NotDeliveredError{}); errors.As(err, &not) {
		not.CutShort = true
	}
	return err
}

// met returns the element that the listener met.
func (a *Aim) met(d Actor) (page.Element, error) {
	var node cdproto.BackendNodeID
	err := d.Run(a.node.Frame, 0, arrivalElement, nil, &node)
	if d.Gone(err) {
		err = nil
	}
	return page.Element{Frame: a.node.Frame, ID: node}, err
}
