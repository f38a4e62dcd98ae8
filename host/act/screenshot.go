package act

import (
	"context"
	"errors"
	"fmt"

	"github.com/hermes-cdp/hermes-cdp/host/fault"
	"github.com/hermes-cdp/hermes-cdp/host/internal/page"
	"github.com/hermes-cdp/hermes-cdp/internal/optional"
)

// Screenshot captures the tab as a PNG: the viewport, the whole page, or one element, which is scrolled into view. With
// Annotate, the boxes and numbers of the elements that can be acted on are drawn on the picture, not into the page.
// Errors: as [Tab.Read], a [*view.BlockedError] while a dialog holds the page, a [*fault.RendererBusyError] if it
// does not answer, [fault.ErrHidden], and [fault.ErrTooLarge].
func (t Tab) Screenshot(ctx context.Context, options *ScreenshotOptions) (_ Screenshot, err error) {
	defer fault.During("screenshot", &err)
	o, p := optional.Or(options), t.pages
	if err := o.check(); err != nil {
		return Screenshot{}, err
	}
	tab, err := t.targetOf(o.Locator)
	if errors.Is(err, fault.ErrStaleRef) {
		number, _ := page.ParseRef(o.Locator.Ref)
		if gone, _ := p.readings.refs.Find(number); p.Snapshot().Target(gone.Tab) != nil {
			tab, err = gone.Tab, nil // so that similar elements there can be named
		}
	}
	if err != nil {
		return Screenshot{}, err
	}
	value, err := p.onPage(ctx, tab, func(d *driver) (any, error) { return p.capture(ctx, d, o) })
	if err != nil {
		return Screenshot{}, err
	}
	return value.(Screenshot), nil
}

// check rejects options that contradict each other.
func (o ScreenshotOptions) check() error {
	switch {
	case o.Locator == Locator{}:
		return nil
	case o.Locator.isZero():
		return fmt.Errorf("%w: a frame is where an element is searched, and there is none", fault.ErrBadArguments)
	case o.FullPage:
		return fmt.Errorf("%w: an element and full_page are both set; leave one of them out", fault.ErrBadArguments)
	}
	return o.Locator.check()
}

func (p *Pages) capture(ctx context.Context, d *driver, o ScreenshotOptions) (Screenshot, error) {
	if _, err := d.awaitThread(); err != nil {
		return Screenshot{}, err
	}
	s := page.CaptureOptions{FullPage: o.FullPage, Limit: timeLeft(ctx)}
	if !o.Locator.isZero() {
		element, err := p.find(d, o.Locator)
		if err != nil {
			return Screenshot{}, actError(err)
		}
		s.Element = &page.Key{Frame: element.Frame, Node: element.ID}
	}
	if o.Annotate {
		s.Give = func(tree *page.Tree, n *page.Node) int { return p.readings.refs.Give(d.Target(), tree, n) }
	}
	shot, err := page.Capture(d, p.readings.refs, s)
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
