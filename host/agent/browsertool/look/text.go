package look

import (
	"context"
	"fmt"
	"strings"

	"github.com/hermes-cdp/hermes-cdp/host"
	"github.com/hermes-cdp/hermes-cdp/host/agent/browsertool/toolkit"
	"github.com/hermes-cdp/hermes-cdp/host/agent/internal/result"
)

// ExtractParams are the parameters of browser_extract_text.
type ExtractParams struct {
	// Target is the element; without one, the documents of all frames.
	toolkit.Target
	// MaxChars limits the text. 0: 65,536.
	MaxChars int `json:"max_chars,omitempty" min:"1" max:"1000000" doc:"default 65536"`
	// Offset leaves out as many characters at the beginning, to read on a text that was cut.
	Offset int `json:"offset,omitempty" min:"0" max:"100000000" doc:"characters to skip" list:"no"`
	toolkit.Timeout
}

// ExtractResult is the result of browser_extract_text.
type ExtractResult struct {
	Extracted string `json:"text"`
	// Chars is the length of the text in full.
	Chars     int  `json:"chars"`
	Truncated bool `json:"truncated,omitempty"`
	// Unresponsive are the frames whose text is missing.
	Unresponsive []string `json:"unresponsive_frames,omitempty" schema:"-"`
	// Filtered are the frames whose text the operator's frame filter keeps from agents.
	Filtered []host.FrameNote `json:"filtered_frames,omitempty" schema:"-"`
	// Loading says that more text may come.
	Loading   bool              `json:"loading,omitempty" schema:"-"`
	Untrusted *result.Untrusted `json:"untrusted,omitempty" schema:"-"`

	offset int
}

// ExtractText returns the visible text of an element or a page. Errors are those of [host.Tab.Text].
func (k *Kit) ExtractText(ctx context.Context, p ExtractParams) (ExtractResult, error) {
	ctx, cancel := k.Within(ctx, p.Timeout)
	defer cancel()
	tab, at, err := k.Locator(ctx, p.Target)
	if err != nil {
		return ExtractResult{}, err
	}
	text, err := tab.Text(ctx, &host.TextOptions{Locator: at, MaxChars: p.MaxChars, Offset: p.Offset})
	return toolkit.Then(ctx, k.Kit, text, err, func(_ context.Context, t host.Text) (ExtractResult, error) {
		return ExtractResult{
			result.VisibleLines(t.Text), t.Chars, t.Truncated, t.Unresponsive, t.Filtered, t.Loading, &result.Untrusted{Origin: t.Origin, Fields: []string{"text"}}, p.Offset,
		}, nil
	})
}

func (r ExtractResult) Counted() result.Counted {
	return result.CountFallbacks(false, len(r.Unresponsive) > 0)
}

// Text returns the page's text after a heading.
func (r ExtractResult) Text() string {
	head := "the page says:"
	switch {
	case r.offset > 0:
		head = fmt.Sprintf("what follows the first %d of the %d characters that the page says:", r.offset, r.Chars)
	case r.Truncated:
		head = fmt.Sprintf("the beginning of the %d characters that the page says:", r.Chars)
	}
	lines := FilteredLines(r.Filtered)
	if len(r.Unresponsive) > 0 {
		lines = append(lines, "these frames did not answer, so their text is missing: "+strings.Join(r.Unresponsive, ", "))
	}
	if r.Loading {
		lines = append(lines, "the page, or a frame of it, is still loading: more text may come")
	}
	return strings.Join(append(lines, head, r.Extracted), "\n")
}
