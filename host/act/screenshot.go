package act

import (
	"context"
	"errors"
	"fmt"

	"github.com/hermes-cdp/hermes-cdp/host/fault"
	"github.com/hermes-cdp/hermes-cdp/host/internal/page"
)

// ErrHidden says that an element takes up no space in the page.
var ErrHidden = page.ErrNoBox

// Screenshot captures a tab as a PNG: the viewport, the whole page, or one element, which is scrolled into view. With
// Annotate, the boxes and numbers of the elements that can be acted on are drawn on the picture, not into the page.
// Errors: as [Task.ReadPage], a [*fault.BlockedError] while a dialog holds the page, a [*fault.RendererBusyError] if it
// does not answer, [ErrHidden], and [fault.ErrTooLarge].
func (t *Task) Screenshot(ctx context.Context, o ScreenshotOptions) (Screenshot, error) {
	if err := o.check(); err != nil {
		return Screenshot{}, err
	}
	if o.Ref != "" {
		element, err := t.ResolveRef(o.Ref)
		switch {
		case errors.Is(err, ErrStaleRef) && o.TargetID == "":
			number, _ := page.ParseRef(o.Ref)
			gone, _ := t.readings.refs.Find(number)
			if t.Snapshot().Target(gone.Tab) == nil {
				return Screenshot{}, err
			}
			o.TargetID = gone.Tab // so that similar elements there can be named
		case err != nil && !errors.Is(err, ErrStaleRef):
			return Screenshot{}, err
		case err == nil:
			o.TargetID = element.TargetID
		}
	}
	value, err := t.onPage(ctx, o.Timeout, o.TargetID, func(d *driver) (any, error) { return t.capture(ctx, d, o) })
	if err != nil {
		return Screenshot{}, err
	}
	return value.(Screenshot), nil
}

// check rejects options that contradict each other.
func (o ScreenshotOptions) check() error {
	switch {
	case o.Ref != "" && o.Selector != "":
		return fmt.Errorf("%w: ref and selector are both set; leave one of them out", fault.ErrBadCall)
	case (o.Ref != "" || o.Selector != "") && o.FullPage:
		return fmt.Errorf("%w: an element and full_page are both set; leave one of them out", fault.ErrBadCall)
	case o.FrameID != "" && o.Selector == "":
		return fmt.Errorf("%w: frame_id is where selector is searched, and there is none", fault.ErrBadCall)
	}
	return nil
}

func (t *Task) capture(ctx context.Context, d *driver, o ScreenshotOptions) (Screenshot, error) {
	if err := d.awaitThread(); err != nil {
		return Screenshot{}, err
	}
	s := page.CaptureOptions{FullPage: o.FullPage, Limit: timeLeft(ctx, o.Timeout)}
	if o.Ref != "" || o.Selector != "" {
		element, err := t.find(d, Locator{Ref: o.Ref, Selector: o.Selector, FrameID: o.FrameID})
		if err != nil {
			return Screenshot{}, actError(err)
		}
		s.Element = &page.Key{Frame: element.Frame, Node: element.ID}
	}
	if o.Annotate {
		s.Give = func(tree *page.Tree, n *page.Node) int { return t.readings.refs.Give(d.Target(), tree, n) }
	}
	shot, err := page.Capture(d, t.readings.refs, s)
	if err != nil {
		return Screenshot{}, err
	}
	out := Screenshot{PNG: shot.PNG, Width: shot.Size.X, Height: shot.Size.Y}
	for _, b := range shot.Boxes {
		out.Annotations = append(out.Annotations, Annotation{
			Ref: fmt.Sprintf("e%d", b.Number), Number: b.Number, Role: b.Node.Role, Name: page.ShownName(b.Node),
			Box: [4]int{b.Rect.Min.X, b.Rect.Min.Y, b.Rect.Dx(), b.Rect.Dy()},
		})
	}
	return out, nil
}
