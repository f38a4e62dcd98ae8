package act

import (
	"context"

	"github.com/hermes-cdp/hermes-cdp/host/internal/page"
	"github.com/hermes-cdp/hermes-cdp/internal/pagetext"
)

// maxImageText caps the texts of an image, in bytes.
const maxImageText = 2048

// Images lists the images of a tab, in all frames and shadow roots, frame by frame in the order of the documents; an empty
// targetID is the tab in use. Of a frame that does not answer there are none. Data addresses are cut to their kind,
// and what could be a secret in an address is left out. Errors are those of [Task.ReadPage], a BlockedError,
// and a RendererBusyError where the page does not answer.
func (t *Task) Images(ctx context.Context, targetID string) ([]Image, error) {
	images := []Image{}
	_, err := t.onPage(ctx, 0, targetID, func(d *driver) (any, error) {
		if err := d.awaitThread(); err != nil {
			return nil, err
		}
		found, err := page.Images(d, timeLeft(ctx, 0))
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
