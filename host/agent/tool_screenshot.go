package agent

import (
	"context"
	"fmt"
	"strings"

	"github.com/hermes-cdp/hermes-cdp/host"
	"github.com/hermes-cdp/hermes-cdp/internal/pagetext"
)

// ScreenshotParams are the parameters of browser_screenshot.
type ScreenshotParams struct {
	// Target is the element that is taken, if one is named.
	Target
	// FullPage takes the whole document.
	FullPage bool `json:"full_page,omitempty"`
	// Annotate draws the boxes and numbers of the elements with refs.
	Annotate bool `json:"annotate,omitempty" doc:"draw the refs' boxes and numbers"`
	// OutPath is where the picture is kept, a path of this machine below [BrowserOptions.ScreenshotDir], to which a relative one
	// belongs, or [BrowserOptions.DownloadDir]. A picture that is there is replaced. Empty: a new name in the first folder.
	OutPath string `json:"out_path,omitempty" list:"no"`
	Timeout
}

// ScreenshotResult is that of browser_screenshot and of browser_vision; the picture itself is beside it.
type ScreenshotResult struct {
	// Path is the file; empty where pictures are not kept.
	Path        string            `json:"screenshot_path,omitempty"`
	Width       int               `json:"width"`
	Height      int               `json:"height"`
	Annotations []host.Annotation `json:"annotations,omitempty"`
	Untrusted   *Untrusted        `json:"untrusted,omitempty" schema:"-"`
	// PNG is the picture.
	PNG []byte `json:"-"`
}

// Screenshot takes a picture and keeps it in [BrowserOptions.ScreenshotDir]. Errors are those of [host.Task.Screenshot], and
// those of writing the file.
func (b *Browser) Screenshot(ctx context.Context, p ScreenshotParams) (ScreenshotResult, error) {
	ctx, cancel := b.within(ctx, p.Timeout)
	defer cancel()
	at, err := b.locator(ctx, p.Target)
	if err != nil {
		return ScreenshotResult{}, err
	}
	if p.OutPath != "" { // before a picture is taken
		if _, _, err := b.pictureRoot(p.OutPath); err != nil {
			return ScreenshotResult{}, err
		}
	}
	tab := at.TargetID
	shot, err := b.task.Screenshot(ctx, host.ScreenshotOptions{
		TargetID: tab, FullPage: p.FullPage, Ref: at.Ref, Selector: at.Selector, FrameID: at.FrameID, Annotate: p.Annotate,
	})
	return then(ctx, b, shot, err, func(_ context.Context, shot host.Screenshot) (ScreenshotResult, error) {
		path, err := b.keepShot(p.OutPath, shot.PNG)
		return ScreenshotResult{
			Path: path, Width: shot.Width, Height: shot.Height, Annotations: shot.Annotations, PNG: shot.PNG,
			Untrusted: b.untrusted(tab, "image", "annotations"),
		}, err
	})
}

// keepShot keeps a picture where it was asked for, else under a new name.
func (b *Browser) keepShot(path string, png []byte) (string, error) {
	if path != "" {
		return b.keepPictureAs(path, png)
	}
	return b.keepPicture(png)
}

func (r ScreenshotResult) images() []Image { return []Image{{MIMEType: "image/png", Data: r.PNG}} }

// Text says where the picture is, and what the numbers in it are.
func (r ScreenshotResult) Text() string {
	lines := []string{fmt.Sprintf("picture of %d x %d pixels", r.Width, r.Height)}
	if r.Path != "" {
		lines[0] += " in " + r.Path
	}
	for _, a := range r.Annotations {
		lines = append(lines, fmt.Sprintf("%d: %s %s @%s", a.Number, a.Role, pagetext.QuoteShown(visible(a.Name)), a.Ref))
	}
	return strings.Join(lines, "\n")
}
