package act

import (
	"context"
	"fmt"

	"github.com/hermes-cdp/hermes-cdp/host/fault"
	"github.com/hermes-cdp/hermes-cdp/host/internal/page"
)

// Click clicks an element as a person would, with real mouse events. The element is scrolled into view and must be
// visible, enabled, at rest and not covered; Click waits for that, and for the element to appear, for most of its time.
// It returns what came of the click.
//
// The errors of all actions: [*NotActionableError] with what is in the way, [*NotDeliveredError], ErrNoElement,
// ErrUnknownRef, [*StaleRefError], ErrBadCall, [*WaitError], and those of [Task.Evaluate]: a [*fault.BlockedError] as
// soon as a dialog holds the tab, with the CallID with which Task.Resume returns the [ActionResult] once the dialog is
// answered, a [*fault.DeliveredError] likewise, [*fault.StoppedError], [*fault.RendererBusyError], and so on.
func (t *Task) Click(ctx context.Context, l Locator, o ClickOptions) (ActionResult, error) {
	button, err := page.ParseButton(o.Button)
	if err != nil {
		return ActionResult{}, fmt.Errorf("%w: %w", fault.ErrBadCall, err)
	}
	name, times := "click", int64(1)
	if o.Double {
		name, times = "dblclick", 2
	}
	return t.act(ctx, name, l, o.ActionOptions, func(a *action) error {
		_, aim, err := a.ready(l, o.Force, page.Pressed)
		if err != nil {
			return err
		}
		return a.click(aim, button, times)
	})
}

// Hover moves the pointer onto an element. Errors: as [Task.Click].
func (t *Task) Hover(ctx context.Context, l Locator, o ActionOptions) (ActionResult, error) {
	return t.act(ctx, "hover", l, o, func(a *action) error {
		_, aim, err := a.ready(l, o.Force, page.Pointed)
		if err != nil {
			return err
		}
		return page.Hover(a.d, aim)
	})
}

// Check clicks a checkbox, a radio button, a switch or the label of one, unless it is already in the wanted state.
// Errors: as [Task.Click]; [*NotActionableError] if the state does not change.
func (t *Task) Check(ctx context.Context, l Locator, on bool, o ActionOptions) (ActionResult, error) {
	return t.act(ctx, "check", l, o, func(a *action) error {
		n, err := a.find(l)
		if err != nil {
			return err
		}
		was, err := page.Checked(a.d, n)
		if err != nil {
			return err
		}
		a.out.Checked = &on
		if was == on {
			return nil
		}
		aim, err := page.Ready(a.d, n, o.Force, page.Pressed)
		if err != nil {
			return err
		}
		if err := a.click(aim, page.Left, 1); err != nil {
			return err
		}
		return a.expectChecked(n, on)
	})
}

// expectChecked verifies a state, unless the page is being left or the element is gone.
func (a *action) expectChecked(n page.Element, on bool) error {
	if a.isNavigating() {
		return nil
	}
	is, err := page.Checked(a.d, n)
	if err != nil || is == on {
		return err
	}
	return &NotActionableError{Obstacle: ObstacleUnfit, Element: a.out.Element, By: fmt.Sprintf("not in the state checked=%t after a click on it", on)}
}

// Drag presses the button on one element, moves to another and releases it there; both are in one tab. A drag that
// carries data, as in HTML drag and drop, is dropped. Errors: as [Task.Click].
func (t *Task) Drag(ctx context.Context, from, to Locator, o ActionOptions) (ActionResult, error) {
	start, err := t.tabOf(from)
	if err != nil {
		return ActionResult{}, err
	}
	end, err := t.tabOf(to)
	if err != nil {
		return ActionResult{}, err
	}
	if to.TargetID != "" && start != end {
		return ActionResult{}, fmt.Errorf("%w: a drag begins and ends in one tab", fault.ErrBadCall)
	}
	return t.act(ctx, "drag", from, o, func(a *action) error {
		target, err := a.task.find(a.d, to)
		if err != nil {
			return err
		}
		n, err := a.find(from)
		if err != nil {
			return err
		}
		toward, err := page.ScrollToPoint(a.d, target) // located first, so that the start is in view when the drag begins
		if err != nil {
			return err
		}
		aim, err := page.Ready(a.d, n, o.Force, page.Pressed)
		if err != nil {
			return err
		}
		a.out.Note, err = page.Drag(a.d, aim, target, toward)
		return err
	})
}

// Scroll turns the mouse wheel and returns when the page is at rest again. Errors: as [Task.Click].
func (t *Task) Scroll(ctx context.Context, o ScrollOptions) (ActionResult, error) {
	sign, ok := map[string][2]float64{"": {0, 1}, "down": {0, 1}, "up": {0, -1}, "right": {1, 0}, "left": {-1, 0}}[o.Direction]
	if !ok {
		return ActionResult{}, fmt.Errorf("%w: there is no direction %q: up, down, left or right", fault.ErrBadCall, o.Direction)
	}
	if o.Amount < 0 {
		return ActionResult{}, fmt.Errorf("%w: the amount %v is negative; use the direction", fault.ErrBadCall, o.Amount)
	}
	return t.act(ctx, "scroll", o.Locator, ActionOptions{Timeout: o.Timeout}, func(a *action) error {
		width, height, err := page.Viewport(a.d)
		if err != nil {
			return err
		}
		var over *page.Aim
		if o.Locator.Ref != "" || o.Locator.Selector != "" {
			_, over, err = a.ready(o.Locator, true, page.Wheeled)
		} else {
			over, err = page.Over(a.d, page.Point{X: width / 2, Y: height / 2}, page.Wheeled)
		}
		if err != nil {
			return err
		}
		amount := o.Amount
		if amount == 0 {
			amount = (width*sign[0]*sign[0] + height*sign[1]*sign[1]) * 4 / 5
		}
		return page.Scroll(a.d, over, sign[0]*amount, sign[1]*amount)
	})
}
