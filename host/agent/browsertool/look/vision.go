package look

import (
	"context"
	"strings"

	"github.com/hermes-cdp/hermes-cdp/host/agent/browsertool/toolkit"
	"github.com/hermes-cdp/hermes-cdp/host/agent/internal/result"
	"github.com/hermes-cdp/hermes-cdp/internal/pagetext"
)

// VisionParams are the parameters of browser_vision.
type VisionParams struct {
	// Question is what to look for in the picture.
	Question string `json:"question" need:"yes"`
	// Annotate draws the boxes and numbers of the elements with refs.
	Annotate bool `json:"annotate,omitempty" doc:"draw the refs"`
	// Tab is a handle (t1) or a target id; empty: the tab in use.
	Tab string `json:"tab,omitempty"`
	toolkit.Timeout
}

// VisionResult is the result of browser_vision.
type VisionResult struct {
	ScreenshotResult
	// Question is what was asked.
	Question string `json:"question" schema:"-"`
	// Analysis is the answer of the model of [toolkit.Options.Vision]. It is empty if there is none; whoever receives the
	// picture answers then. The model has read the page, so the answer may say what the page wants it to.
	Analysis string `json:"analysis,omitempty"`
	// AnalysisError says why the model gave no answer.
	AnalysisError string `json:"analysis_error,omitempty" schema:"-"`
}

// maxAnalysis limits the part of an answer that is shown, in bytes.
const maxAnalysis = 16 << 10

// Vision takes a picture for a question. The model of [toolkit.Options.Vision] answers it in the remaining time; a
// failure of the model is not an error. Without a model, whoever receives the picture answers. Errors are those of
// [Kit.Screenshot].
func (k *Kit) Vision(ctx context.Context, p VisionParams) (VisionResult, error) {
	ctx, cancel := k.Within(ctx, p.Timeout)
	defer cancel()
	shot, err := k.Screenshot(ctx, ScreenshotParams{Target: toolkit.Target{Tab: p.Tab}, Annotate: p.Annotate, Timeout: p.Timeout})
	return toolkit.After(ctx, k.Kit, shot, err, func(ctx context.Context, shot ScreenshotResult) (VisionResult, error) {
		r := VisionResult{ScreenshotResult: shot, Question: p.Question}
		r.analyse(ctx, k.Options.Vision)
		return r, nil
	})
}

// analyse asks the model, if there is one.
func (r *VisionResult) analyse(ctx context.Context, model toolkit.Vision) {
	if model == nil {
		return
	}
	toolkit.Step(ctx, 1, 2, "asking the model about the picture")
	answer, err := model.Ask(ctx, r.Question, r.PNG)
	if err != nil {
		r.AnalysisError = result.Visible(err.Error())
		r.Untrusted.Fields = append(r.Untrusted.Fields, "analysis_error")
		return
	}
	if cut := pagetext.Shorten(answer, maxAnalysis); cut != answer {
		answer = cut + "… (cut)"
	}
	r.Analysis = result.VisibleLines(answer)
	r.Untrusted.Fields = append(r.Untrusted.Fields, "analysis")
}

// Text returns the model's answer and the picture's description.
func (r VisionResult) Text() string {
	var lines []string
	switch {
	case r.Analysis != "":
		lines = []string{"a model that looked at the picture says: " + r.Analysis}
	case r.AnalysisError != "":
		lines = []string{"no analysis: " + r.AnalysisError}
	}
	return strings.Join(append(lines, r.ScreenshotResult.Text()), "\n")
}

// Guidance returns the question if no model has answered it.
func (r VisionResult) Guidance(result.Offered) []string {
	if r.Analysis != "" {
		return nil
	}
	return []string{"look at the picture for: " + result.VisibleLines(r.Question)}
}
