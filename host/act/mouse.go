package act

import (
	"context"
	"fmt"

	"github.com/hermes-cdp/hermes-cdp/host/fault"
	"github.com/hermes-cdp/hermes-cdp/host/internal/page"
	"github.com/hermes-cdp/hermes-cdp/host/internal/page/geometry"
	"github.com/hermes-cdp/hermes-cdp/host/internal/page/input"
	"github.com/hermes-cdp/hermes-cdp/internal/optional"
)

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
		return aim.Click(a.d, c.button, c.times, c.held)
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
