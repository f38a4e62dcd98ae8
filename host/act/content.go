package act

import (
	"cmp"
	"context"
	"fmt"
	"strings"

	cdproto "github.com/chromedp/cdproto/cdp"

	"github.com/hermes-cdp/hermes-cdp/host/fault"
	"github.com/hermes-cdp/hermes-cdp/host/internal/page"
	"github.com/hermes-cdp/hermes-cdp/host/internal/page/query"
	"github.com/hermes-cdp/hermes-cdp/internal/optional"
	"github.com/hermes-cdp/hermes-cdp/internal/pagetext"
)

// defaultExtract is the default of TextOptions.MaxChars.
const defaultExtract = 65536

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
	out = Text{Untrusted: true, Loading: d.isLoading()}
	end := offset + limit
	if !l.isZero() {
		n, err := p.find(d, l)
		if err != nil {
			return out, err
		}
		text, chars, err := query.ElementText(d, n, end)
		out.Text, out.Chars, out.Origin, out.Truncated = from(offset, text), chars, d.origin(n.Frame), chars > end
		return out, err
	}
	texts, err := query.Texts(d, cdproto.FrameID(l.FrameID), end)
	if err != nil {
		return out, err
	}
	out.Origin = d.origin(cdproto.FrameID(l.FrameID))
	var parts []string
	unresponsive := 0
	for _, f := range d.Frames() {
		if n, filtered := f.FilteredNote(); filtered && l.FrameID == "" {
			out.Filtered = append(out.Filtered, publicNote(n))
		}
	}
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

// maxImageText caps the URL and the alternative text of an image, in bytes each.
const maxImageText = 2048

// Images lists the images of the tab, in all frames and shadow roots, frame by frame in document order. Frames that do
// not answer are left out. A data URL is cut to its media type, and anything in a URL that may be secret is removed.
// Errors: as [Tab.Read], a BlockedError, and a RendererBusyError if the page does not answer.
func (t Tab) Images(ctx context.Context) (_ []Image, err error) {
	defer fault.During("images", &err)
	tab, err := t.target()
	if err != nil {
		return nil, err
	}
	images := []Image{}
	_, err = t.pages.onPage(ctx, tab, func(d *driver) (any, error) {
		if _, err := d.awaitThread(); err != nil {
			return nil, err
		}
		found, err := page.Images(d, timeLeft(ctx))
		for _, i := range found {
			images = append(images, Image{
				Src: pagetext.Shorten(pagetext.Line(page.SafeURL(i.Src)), maxImageText), Alt: pagetext.Shorten(pagetext.Line(i.Alt), maxImageText),
				Width: i.Width, Height: i.Height,
			})
		}
		return images, err
	})
	if err != nil {
		return nil, err
	}
	return images, nil
}
