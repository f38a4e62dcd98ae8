package act

import (
	"cmp"
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/hermes-cdp/hermes-cdp/host/fault"
	"github.com/hermes-cdp/hermes-cdp/host/internal/page"
	"github.com/hermes-cdp/hermes-cdp/host/internal/page/geometry"
	"github.com/hermes-cdp/hermes-cdp/host/internal/page/input"
	"github.com/hermes-cdp/hermes-cdp/host/internal/page/query"
	"github.com/hermes-cdp/hermes-cdp/internal/optional"
)

// Click clicks an element as a person would, with real mouse events. The element is scrolled into view and must be
// visible, enabled, at rest and not covered; Click waits for that, and for the element to appear, for most of its time.
// It returns what came of the click.
//
// The errors of all actions: [*NotActionableError] with what is in the way, [*NotDeliveredError], ErrNoElement,
// fault.ErrUnknownRef, [*StaleRefError], ErrBadArguments, [*WaitError], and those of [Tab.Evaluate]: a
// [*view.BlockedError] as soon as a dialog holds the tab, with the CallID with which Task.Resume returns the
// [ActionResult] once the dialog is answered, a [*fault.DeliveredError] likewise, [*fault.StoppedError],
// [*fault.RendererBusyError], and so on.
func (t Tab) Click(ctx context.Context, l Locator, options *ClickOptions) (_ ActionResult, err error) {
	defer fault.During("click", &err)
	c, err := optional.Or(options).checked()
	if err != nil {
		return ActionResult{}, err
	}
	return t.act(ctx, c.name, l, c.ActionOptions, func(a *action) error {
		aim, err := a.ready(l, c.Force, input.Pressed)
		if err != nil {
			return err
		}
		if aim, err = aim.Shown(a.d); err != nil {
			return err
		}
		if l.Text != "" && strings.HasPrefix(a.out.Element, "combobox") {
			other, err := input.IsOtherOption(a.d, aim.Target(), l.Text)
			if err != nil {
				return err
			}
			if other {
				a.out.Note = optionNote
			}
		}
		return a.click(aim, c.button, c.times, c.held)
	})
}

// optionNote says that the list was clicked, and not its option: the browser shows those outside of the page.
const optionNote = "the text is that of an option, which was not chosen: use select on the list"

// clicking are options of a click that have been checked.
type clicking struct {
	ClickOptions
	name   string
	button input.Button
	times  int64
	held   input.Held
}

func (o ClickOptions) checked() (c clicking, err error) {
	c = clicking{ClickOptions: o, name: "click", times: int64(max(o.Count, 1))}
	if c.button, err = input.ParseButton(string(o.Button)); err != nil {
		return c, fmt.Errorf("%w: %w", fault.ErrBadArguments, err)
	}
	if o.Count < 0 || o.Count > 3 || o.Double && o.Count != 0 && o.Count != 2 {
		return c, fmt.Errorf("%w: %d clicks: give 1, 2 or 3", fault.ErrBadArguments, o.Count)
	}
	if c.held, err = input.ParseHeld(o.Modifiers); err != nil {
		return c, fmt.Errorf("%w: %w", fault.ErrBadArguments, err)
	}
	if o.Double {
		c.name, c.times = "dblclick", 2
	}
	return c, nil
}

// Hover moves the pointer onto an element. Errors: as [Tab.Click].
func (t Tab) Hover(ctx context.Context, l Locator, options *ActionOptions) (_ ActionResult, err error) {
	defer fault.During("hover", &err)
	o := optional.Or(options)
	return t.act(ctx, "hover", l, o, func(a *action) error {
		aim, err := a.ready(l, o.Force, input.Pointed)
		if err != nil {
			return err
		}
		err = input.Hover(a.d, aim)
		a.noteInstead(aim)
		return err
	})
}

// click clicks what is aimed at a number of times, and notes what received that in its stead.
func (a *action) click(aim *input.Aim, button input.Button, times int64, held input.Held) error {
	err := aim.Click(a.d, button, times, held)
	a.noteInstead(aim)
	return err
}

// noteInstead notes which element received input with force, if it was not the one that was named.
func (a *action) noteInstead(aim *input.Aim) {
	if aim.Instead != "" {
		a.note("with force, the input went to " + aim.Instead + ", which the pointer meets there")
	}
}

// Check clicks a checkbox, a radio button, a switch or the label of one, unless it is already in the wanted state.
// Errors: as [Tab.Click]; [*NotActionableError] if the state does not change.
func (t Tab) Check(ctx context.Context, l Locator, on bool, options *ActionOptions) (_ ActionResult, err error) {
	defer fault.During("check", &err)
	o := optional.Or(options)
	return t.act(ctx, "check", l, o, func(a *action) error {
		a.labelled = input.Switches
		var aim *input.Aim
		err := a.onElement(l, func(n page.Element) error {
			was, err := input.Checked(a.d, n)
			if a.out.Checked = &on; err != nil || was == on {
				return err
			}
			aim, err = input.Ready(a.d, n, o.Force, input.Pressed)
			return err
		})
		if err != nil || aim == nil {
			return err
		}
		if err := a.click(aim, input.Left, 1, nil); err != nil {
			return err
		}
		return a.expectChecked(aim.Target(), on)
	})
}

// checkedWithin is how long a page may take to show a new state: most do so at once, some in one of their next tasks.
const checkedWithin = time.Second

// expectChecked verifies a state, unless the page is being left or the element is gone, which the note says.
func (a *action) expectChecked(n page.Element, on bool) error {
	is, err := query.Until(a.d, checkedWithin, func() (bool, error, error) {
		if a.isNavigating() {
			return true, nil, nil
		}
		now, err := input.Checked(a.d, n)
		if now == on || err != nil && !a.d.Gone(err) {
			return now == on, nil, err
		}
		there, _, _, err := page.Connected(a.d, n.Frame, n.ID)
		if gone := a.d.Gone(err) || err == nil && !there; gone {
			a.out.Note = "the page has removed it or put another in its place, so the new state was not seen"
			return true, nil, nil
		}
		return false, nil, err
	})
	if err != nil || is {
		return err
	}
	return &NotActionableError{Obstacle: ObstacleUnfit, Element: a.out.Element, By: fmt.Sprintf("not in the state checked=%t after a click on it", on)}
}

// Drag presses the button on one element, moves to another and releases it there; both are in one tab. A drag that
// carries data, as in HTML drag and drop, is dropped. Errors: as [Tab.Click].
func (t Tab) Drag(ctx context.Context, from, to Locator, options *ActionOptions) (_ ActionResult, err error) {
	defer fault.During("drag", &err)
	o := optional.Or(options)
	start, err := t.targetOf(from)
	if err != nil {
		return ActionResult{}, err
	}
	if end, err := t.targetOf(to); err != nil || end != "" && start != end {
		return ActionResult{}, cmp.Or(err, fmt.Errorf("%w: a drag begins and ends in one tab", fault.ErrBadArguments))
	}
	return t.act(ctx, "drag", from, o, func(a *action) error {
		target, err := a.pages.find(a.d, to)
		if err != nil {
			return err
		}
		n, err := a.find(from)
		if err != nil {
			return err
		}
		toward, err := input.ScrollToPoint(a.d, target) // located first, so that the start is in view when the drag begins
		if err != nil {
			return err
		}
		aim, err := input.Ready(a.d, n, o.Force, input.Pressed)
		if err != nil {
			return err
		}
		a.out.Note, err = input.Drag(a.d, aim, target, toward)
		return err
	})
}

// Scroll turns the mouse wheel and returns when the page is at rest again; the result says how far that scrolled. An
// element that is partly in view is not scrolled into view first. Errors: as [Tab.Click].
func (t Tab) Scroll(ctx context.Context, options *ScrollOptions) (_ ActionResult, err error) {
	defer fault.During("scroll", &err)
	o := optional.Or(options)
	sign, ok := map[Direction][2]float64{"": {0, 1}, ScrollDown: {0, 1}, ScrollUp: {0, -1}, ScrollRight: {1, 0}, ScrollLeft: {-1, 0}}[o.Direction]
	if !ok {
		return ActionResult{}, fmt.Errorf("%w: there is no direction %q: up, down, left or right", fault.ErrBadArguments, o.Direction)
	}
	if o.Amount < 0 {
		return ActionResult{}, fmt.Errorf("%w: the amount %v is negative; use the direction", fault.ErrBadArguments, o.Amount)
	}
	return t.act(ctx, "scroll", o.Locator, ActionOptions{}, func(a *action) error {
		width, height, err := page.Viewport(a.d)
		if err != nil {
			return err
		}
		var over *input.Aim
		if !o.Locator.isZero() {
			err = a.onElement(o.Locator, func(n page.Element) error {
				over, err = input.OverElement(a.d, n)
				return err
			})
		} else if o.At != nil {
			over, err = a.atPoint(*o.At, input.Wheeled)
		} else {
			over, err = input.Over(a.d, geometry.Point{X: width / 2, Y: height / 2}, input.Wheeled)
		}
		if err != nil {
			return err
		}
		amount := o.Amount
		if amount == 0 {
			amount = (width*sign[0]*sign[0] + height*sign[1]*sign[1]) * 4 / 5
		}
		scrolled, err := input.Scroll(a.d, over, sign[0]*amount, sign[1]*amount)
		a.out.Scrolled = (*Scrolled)(scrolled)
		return err
	})
}

// Point is a place in the viewport of a tab, in CSS pixels from its top left corner, as in a screenshot of the
// viewport.
type Point struct{ X, Y float64 }

// ClickAt clicks whatever is at a point, also on a canvas or a picture, whose parts no locator names. The result says
// which element that is. Nothing is scrolled, and what covers the point is clicked itself. Errors: ErrBadArguments for
// a point outside the viewport; a [*NotDeliveredError]; and those of [Tab.Click] that are not about the element.
func (t Tab) ClickAt(ctx context.Context, at Point, options *ClickOptions) (_ ActionResult, err error) {
	defer fault.During("click_at", &err)
	c, err := optional.Or(options).checked()
	if err != nil {
		return ActionResult{}, err
	}
	return t.act(ctx, c.name, Locator{}, c.ActionOptions, func(a *action) error {
		aim, err := a.atPoint(at, input.Pressed)
		if err != nil {
			return err
		}
		return a.click(aim, c.button, c.times, c.held)
	})
}

// HoverAt moves the pointer to a point. Errors: as [Tab.ClickAt].
func (t Tab) HoverAt(ctx context.Context, at Point, options *ActionOptions) (_ ActionResult, err error) {
	defer fault.During("hover_at", &err)
	return t.act(ctx, "hover", Locator{}, optional.Or(options), func(a *action) error {
		aim, err := a.atPoint(at, input.Pointed)
		if err != nil {
			return err
		}
		return input.Hover(a.d, aim)
	})
}

// DragAt presses the button at a point, moves to another and releases it there. A drag that carries data, as in HTML
// drag and drop, is dropped. Errors: as [Tab.ClickAt].
func (t Tab) DragAt(ctx context.Context, from, to Point, options *ActionOptions) (_ ActionResult, err error) {
	defer fault.During("drag_at", &err)
	return t.act(ctx, "drag", Locator{}, optional.Or(options), func(a *action) error {
		if err := a.inViewport(to); err != nil {
			return err
		}
		aim, err := a.atPoint(from, input.Pressed)
		if err != nil {
			return err
		}
		a.out.Note, err = input.DragTo(a.d, aim, geometry.Point(to))
		return err
	})
}

// atPoint aims at a point, and records the name of what is there.
func (a *action) atPoint(at Point, signs input.Signs) (aim *input.Aim, err error) {
	if err := a.inViewport(at); err != nil {
		return nil, err
	}
	if aim, a.out.Element, err = input.AtPoint(a.d, geometry.Point(at), signs); err != nil {
		return nil, err
	}
	a.frame, a.d.inputFrame = aim.Target().Frame, aim.Target().Frame
	return aim, a.interceptChooser(a.frame)
}

// inViewport rejects a point at which there is nothing.
func (a *action) inViewport(at Point) error {
	width, height, err := page.Viewport(a.d)
	if err == nil && !(at.X >= 0 && at.X < width && at.Y >= 0 && at.Y < height) {
		err = fmt.Errorf("%w: the point %v, %v is outside the viewport, which is %v by %v CSS pixels", fault.ErrBadArguments, at.X, at.Y, width, height)
	}
	return err
}
