package act

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	cdproto "github.com/chromedp/cdproto/cdp"

	"github.com/hermes-cdp/hermes-cdp/host/fault"
	"github.com/hermes-cdp/hermes-cdp/host/internal/page"
)

const (
	// defaultExtract is the default of TextOptions.MaxChars.
	defaultExtract = 65536
	// defaultWait bounds a wait that has no other limit.
	defaultWait = 30 * time.Second
)

// ExtractText returns the visible text of an element, or of the whole page in all its frames. Frames that do not answer
// within 1.5 s are left out and named; if none answers, the error is a [*fault.RendererBusyError]. Errors: as
// [Task.Click].
func (t *Task) ExtractText(ctx context.Context, o TextOptions) (Text, error) {
	if o.MaxChars < 0 {
		return Text{}, fmt.Errorf("%w: max_chars %d is negative", fault.ErrBadCall, o.MaxChars)
	}
	tab, err := t.tabOf(o.Locator)
	if err != nil {
		return Text{}, err
	}
	value, err := t.onPage(ctx, o.Timeout, tab, func(d *driver) (any, error) {
		out, err := t.extract(d, o.Locator, cmp.Or(o.MaxChars, defaultExtract))
		return out, actError(err)
	})
	out, _ := value.(Text)
	return out, err
}

func (t *Task) extract(d *driver, l Locator, limit int) (out Text, err error) {
	out = Text{Untrusted: true}
	if l.Ref != "" || l.Selector != "" {
		n, err := t.find(d, l)
		if err != nil {
			return out, err
		}
		out.Text, out.Chars, err = page.ElementText(d, n, limit)
		out.Origin, out.Truncated = d.origin(n.Frame), out.Chars > limit
		return out, err
	}
	texts, err := page.Texts(d, cdproto.FrameID(l.FrameID), limit)
	if err != nil {
		return out, err
	}
	out.Origin = d.origin(cdproto.FrameID(l.FrameID))
	var parts []string
	unresponsive := 0
	for _, text := range texts {
		if text.Silent {
			unresponsive++
			out.Unresponsive = append(out.Unresponsive, string(text.Frame.ID))
		}
		if text.Text != "" {
			parts = append(parts, text.Text)
		}
		out.Chars += text.Chars
	}
	if unresponsive > 0 && unresponsive == len(texts) {
		return out, texts[0].Why
	}
	joined := []rune(strings.Join(parts, "\n\n"))
	out.Text = string(joined[:min(len(joined), limit)])
	out.Truncated = out.Chars > limit
	return out, nil
}

// origin is the origin of a frame's document; without a frame, of the top one's.
func (d *driver) origin(frame cdproto.FrameID) string {
	for i, f := range d.Frames() {
		if f.ID == frame || i == 0 && frame == "" {
			return f.Origin
		}
	}
	return ""
}

// WaitFor waits until an element, or a text, is in the wanted state in any frame. Errors: [*WaitError] when the time is
// over, a [*fault.RendererBusyError] if the page did not answer then, ErrBadCall, and those of [Task.Click].
func (t *Task) WaitFor(ctx context.Context, o WaitOptions) error {
	awaited, err := o.awaited()
	if err != nil {
		return err
	}
	tab, err := t.targetOf(o.TargetID)
	if err != nil {
		return err
	}
	if _, bounded := ctx.Deadline(); !bounded && o.Timeout <= 0 {
		o.Timeout = defaultWait
	}
	_, err = t.onPage(ctx, o.Timeout, tab, func(d *driver) (any, error) {
		_, err := page.Await(d, awaited, 0)
		if err != nil && !errors.Is(err, fault.ErrRendererBusy) && errors.Is(context.Cause(d.Context()), fault.ErrTimeout) {
			return nil, &WaitError{o.String() + " in time"}
		}
		return nil, actError(err)
	})
	return err
}

// String says what did not happen, as the beginning of an error.
func (o WaitOptions) String() string {
	state := cmp.Or(o.State, WaitVisible)
	if o.Text != "" {
		return fmt.Sprintf("the text %q did not become %s", o.Text, state)
	}
	return fmt.Sprintf("the selector %q did not become %s", o.Selector, state)
}

func (o WaitOptions) awaited() (page.Awaited, error) {
	a := page.Awaited{Selector: o.Selector, Text: o.Text, Frame: cdproto.FrameID(o.FrameID)}
	if (o.Selector == "") == (strings.TrimSpace(o.Text) == "") {
		return a, fmt.Errorf("%w: exactly one of selector and text must be given", fault.ErrBadCall)
	}
	switch o.State {
	case WaitVisible, "":
		a.Present, a.Visible = true, true
	case WaitHidden:
		a.Visible = true
	case WaitAttached:
		a.Present = true
	case WaitDetached:
	default:
		return a, fmt.Errorf("%w: there is no state %q: visible, hidden, attached or detached", fault.ErrBadCall, o.State)
	}
	if o.Text != "" && !a.Visible {
		return a, fmt.Errorf("%w: a text can be visible or hidden, not %q", fault.ErrBadCall, o.State)
	}
	return a, nil
}
