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
	"github.com/hermes-cdp/hermes-cdp/internal/optional"
	"github.com/hermes-cdp/hermes-cdp/internal/pagetext"
)

const (
	// defaultExtract is the default of TextOptions.MaxChars.
	defaultExtract = 65536
	// defaultWait bounds a wait that has no other limit.
	defaultWait = 30 * time.Second
)

// Text returns the visible text of an element, or of the whole page in all its frames. Frames that do not answer
// within 1.5 s are left out and named; if none answers, the error is a [*fault.RendererBusyError]. Errors: as
// [Tab.Click].
func (t Tab) Text(ctx context.Context, options *TextOptions) (_ Text, err error) {
	defer fault.During("text", &err)
	o := optional.Or(options)
	if o.MaxChars < 0 {
		return Text{}, fmt.Errorf("%w: max_chars %d is negative", fault.ErrBadArguments, o.MaxChars)
	}
	if o.Offset < 0 {
		return Text{}, fmt.Errorf("%w: offset %d is negative", fault.ErrBadArguments, o.Offset)
	}
	tab, err := t.targetOf(o.Locator)
	if err != nil {
		return Text{}, err
	}
	value, err := t.pages.onPage(ctx, tab, func(d *driver) (any, error) {
		out, err := t.pages.extract(d, o.Locator, o.Offset, cmp.Or(o.MaxChars, defaultExtract))
		return out, actError(err)
	})
	out, _ := value.(Text)
	return out, err
}

// extract returns at most limit characters from an offset.
func (p *Pages) extract(d *driver, l Locator, offset, limit int) (out Text, err error) {
	out = Text{Untrusted: true}
	end := offset + limit
	if !l.isZero() {
		n, err := p.find(d, l)
		if err != nil {
			return out, err
		}
		text, chars, err := page.ElementText(d, n, end)
		out.Text, out.Chars, out.Origin, out.Truncated = from(offset, text), chars, d.origin(n.Frame), chars > end
		return out, err
	}
	texts, err := page.Texts(d, cdproto.FrameID(l.FrameID), end)
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
	out.Chars += len(between) * max(len(parts)-1, 0)
	out.Text = from(offset, pagetext.ShortenRunes(strings.Join(parts, between), end))
	out.Truncated = out.Chars > end
	return out, nil
}

// between is what separates the texts of two frames.
const between = "\n\n"

// from is a text without the characters before an offset.
func from(offset int, text string) string { return text[len(pagetext.ShortenRunes(text, offset)):] }

// origin is the origin of a frame's document; without a frame, of the top one's.
func (d *driver) origin(frame cdproto.FrameID) string {
	for i, f := range d.Frames() {
		if f.ID == frame || i == 0 && frame == "" {
			return f.Origin
		}
	}
	return ""
}

// Wait waits until an element, or a text, is in a state, in any frame or in that of the locator, which names it by a
// selector or a text. Without a deadline of the context it waits 30 s. Errors: [*WaitError] when the time is over, a
// [*fault.RendererBusyError] if the page did not answer then, ErrBadArguments, and those of [Tab.Click].
func (t Tab) Wait(ctx context.Context, l Locator, state WaitState) (err error) {
	defer fault.During("wait", &err)
	awaited, err := awaited(l, state)
	if err != nil {
		return err
	}
	tab, err := t.targetOf(l)
	if err != nil {
		return err
	}
	if _, bounded := ctx.Deadline(); !bounded {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, defaultWait)
		defer cancel()
	}
	_, err = t.pages.onTab(ctx, tab, func(d *driver) (any, error) {
		_, err := page.Await(d, awaited, 0)
		if err != nil && !errors.Is(err, fault.ErrRendererBusy) && errors.Is(context.Cause(d.Context()), fault.ErrTimeout) {
			return nil, &WaitError{Locator: l, State: state}
		}
		return nil, actError(err)
	})
	return err
}

func awaited(l Locator, state WaitState) (page.Awaited, error) {
	a := page.Awaited{Selector: l.Selector, Text: l.Text, Frame: cdproto.FrameID(l.FrameID)}
	if err := l.check(); err != nil {
		return a, err
	}
	if l.Selector == "" && strings.TrimSpace(l.Text) == "" {
		return a, fmt.Errorf("%w: a wait is for a selector or a text, not for %s", fault.ErrBadArguments, l)
	}
	switch state {
	case WaitVisible:
		a.Present, a.Visible = true, true
	case WaitHidden:
		a.Visible = true
	case WaitAttached:
		a.Present = true
	case WaitDetached:
	default:
		return a, fmt.Errorf("%w: there is no state %q: visible, hidden, attached or detached", fault.ErrBadArguments, state)
	}
	if l.Text != "" && !a.Visible {
		return a, fmt.Errorf("%w: a text can be visible or hidden, not %q", fault.ErrBadArguments, state)
	}
	return a, nil
}
