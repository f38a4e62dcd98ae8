package agent

import (
	"context"
	"fmt"
	"strings"

	"github.com/hermes-cdp/hermes-cdp/host"
)

// ScreenshotParams are the parameters of browser_screenshot.
type ScreenshotParams struct {
	// Ref takes one element; FullPage the whole document.
	Ref      string `json:"ref,omitempty" doc:"one element"`
	FullPage bool   `json:"full_page,omitempty"`
	// Annotate draws the boxes and numbers of the elements with refs.
	Annotate bool `json:"annotate,omitempty" doc:"draw the refs' boxes and numbers"`
	// Tab is a handle (t1) or a target id; empty: the first tab.
	Tab string `json:"tab,omitempty"`
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
	tab, err := b.tab(p.Tab)
	if err != nil {
		return ScreenshotResult{}, err
	}
	shot, err := b.task.Screenshot(ctx, host.ScreenshotOptions{TargetID: tab, FullPage: p.FullPage, Ref: p.Ref, Annotate: p.Annotate})
	return then(ctx, b, shot, err, func(_ context.Context, shot host.Screenshot) (ScreenshotResult, error) {
		path, err := b.keepPicture(shot.PNG)
		return ScreenshotResult{
			Path: path, Width: shot.Width, Height: shot.Height, Annotations: shot.Annotations, PNG: shot.PNG,
			Untrusted: b.untrusted(tab, "image", "annotations"),
		}, err
	})
}

func (r ScreenshotResult) images() []Image { return []Image{{MIMEType: "image/png", Data: r.PNG}} }

// Text says where the picture is, and what the numbers in it are.
func (r ScreenshotResult) Text() string {
	lines := []string{fmt.Sprintf("picture of %d x %d pixels", r.Width, r.Height)}
	if r.Path != "" {
		lines[0] += " in " + r.Path
	}
	for _, a := range r.Annotations {
		lines = append(lines, fmt.Sprintf("%d: %s %q @%s", a.Number, a.Role, visible(a.Name), a.Ref))
	}
	return strings.Join(lines, "\n")
}

// VisionParams are the parameters of browser_vision.
type VisionParams struct {
	// Question is what is to be seen in the picture.
	Question string `json:"question" need:"yes"`
	// Annotate draws the boxes and numbers of the elements with refs.
	Annotate bool `json:"annotate,omitempty" doc:"draw the refs' boxes and numbers"`
	// Tab is a handle (t1) or a target id; empty: the first tab.
	Tab string `json:"tab,omitempty"`
	Timeout
}

// VisionResult is that of browser_vision.
type VisionResult struct {
	ScreenshotResult
	// Question is what was asked: who gets the picture answers it.
	Question string `json:"question" schema:"-"`
}

// Vision takes a picture for a question, which the model that gets the picture answers. Errors are those of
// [Browser.Screenshot].
func (b *Browser) Vision(ctx context.Context, p VisionParams) (VisionResult, error) {
	shot, err := b.Screenshot(ctx, ScreenshotParams{Annotate: p.Annotate, Tab: p.Tab, Timeout: p.Timeout})
	return after(ctx, b, shot, err, func(_ context.Context, shot ScreenshotResult) (VisionResult, error) {
		return VisionResult{ScreenshotResult: shot, Question: p.Question}, nil
	})
}

// Text puts the question before the picture.
func (r VisionResult) Text() string {
	return "look at the picture for: " + visibleLines(r.Question) + "\n" + r.ScreenshotResult.Text()
}
