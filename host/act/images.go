package act

import (
	"context"

	"github.com/hermes-cdp/hermes-cdp/host/fault"
	"github.com/hermes-cdp/hermes-cdp/host/internal/page"
	"github.com/hermes-cdp/hermes-cdp/internal/pagetext"
)

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
