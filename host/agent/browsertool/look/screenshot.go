package look

import (
	"context"
	"fmt"
	"strings"

	"github.com/hermes-cdp/hermes-cdp/host"
	"github.com/hermes-cdp/hermes-cdp/host/agent/browsertool/toolkit"
	"github.com/hermes-cdp/hermes-cdp/host/agent/internal/result"
	"github.com/hermes-cdp/hermes-cdp/internal/pagetext"
)

// ScreenshotParams are the parameters of browser_screenshot.
type ScreenshotParams struct {
	// Target is the element to take, if any.
	toolkit.Target
	// FullPage takes the whole document.
	FullPage bool `json:"full_page,omitempty"`
	// Annotate draws the boxes and numbers of the elements with refs.
	Annotate bool `json:"annotate,omitempty" doc:"draw the refs"`
	// OutPath is the file for the picture: a path on this machine below [toolkit.Options.ScreenshotDir] (to which relative
	// paths belong) or [toolkit.Options.DownloadDir]. An existing picture is replaced. Empty: a new name in the first one.
	OutPath string `json:"out_path,omitempty" list:"no"`
	toolkit.Timeout
}

// ScreenshotResult is the result of browser_screenshot, and part of that of browser_vision.
type ScreenshotResult struct {
	// Path is the file; empty if pictures are not kept.
	Path        string            `json:"screenshot_path,omitempty"`
	Width       int               `json:"width"`
	Height      int               `json:"height"`
	Annotations []host.Annotation `json:"annotations,omitempty"`
	Untrusted   *result.Untrusted `json:"untrusted,omitempty" schema:"-"`
	// PNG is the picture.
	PNG []byte `json:"-"`
}

// Screenshot takes a picture and keeps it in [toolkit.Options.ScreenshotDir]. Errors are those of
// [host.Tab.Screenshot], and those of writing the file.
func (k *Kit) Screenshot(ctx context.Context, p ScreenshotParams) (ScreenshotResult, error) {
	ctx, cancel := k.Within(ctx, p.Timeout)
	defer cancel()
	tab, at, err := k.Locator(ctx, p.Target)
	if err != nil {
		return ScreenshotResult{}, err
	}
	if p.OutPath != "" { // fail before taking a picture
		if _, _, err := k.PictureRoot(p.OutPath); err != nil {
			return ScreenshotResult{}, err
		}
	}
	shot, err := tab.Screenshot(ctx, &host.ScreenshotOptions{FullPage: p.FullPage, Locator: at, Annotate: p.Annotate})
	return toolkit.Then(ctx, k.Kit, shot, err, func(_ context.Context, shot host.Screenshot) (ScreenshotResult, error) {
		path, err := k.keepShot(p.OutPath, shot.PNG)
		return ScreenshotResult{
			Path: path, Width: shot.Width, Height: shot.Height, Annotations: shot.Annotations, PNG: shot.PNG,
			Untrusted: k.Untrusted(tab.ID(), "image", "annotations"),
		}, err
	})
}

// keepShot keeps a picture at the requested path, else under a new name.
func (k *Kit) keepShot(path string, png []byte) (string, error) {
	if path != "" {
		return k.KeepPictureAs(path, png)
	}
	return k.KeepPicture(png)
}

func (r ScreenshotResult) Images() []result.Image {
	return []result.Image{{MIMEType: "image/png", Data: r.PNG}}
}

// Text says where the picture is and what the numbers in it mean.
func (r ScreenshotResult) Text() string {
	lines := []string{fmt.Sprintf("picture of %d x %d pixels", r.Width, r.Height)}
	if r.Path != "" {
		lines[0] += " in " + r.Path
	}
	for _, a := range r.Annotations {
		lines = append(lines, fmt.Sprintf("%d: %s %s @%s", a.Number, a.Role, pagetext.QuoteShown(result.Visible(a.Name)), a.Ref))
	}
	return strings.Join(lines, "\n")
}
