package browsertool

import (
	"context"
	"time"

	"github.com/hermes-cdp/hermes-cdp/host"
	"github.com/hermes-cdp/hermes-cdp/host/agent/browsertool/toolkit"
	"github.com/hermes-cdp/hermes-cdp/host/agent/internal/result"
)

// AskParams are the parameters of browser_ask_operator.
type AskParams struct {
	// Question is for a person, who sees the page.
	Question string `json:"question" need:"yes" doc:"for a person who sees the page"`
	// Region is the part of the viewport that it is about.
	Region *host.Region `json:"region,omitempty" doc:"what it is about, in pixels of a screenshot"`
	// Tab is a handle (t1) or a target id; empty: the tab in use.
	Tab string `json:"tab,omitempty"`
	toolkit.Timeout
}

// AskResult is the result of browser_ask_operator.
type AskResult struct {
	Answer string `json:"answer"`
}

// askTime is how long a question waits without a timeout of its own: a person has to notice it first.
const askTime = 5 * time.Minute

// AskOperator asks the person who runs the host, and waits for the answer. Errors are those of [host.Task.AskOperator].
func (b *Browser) AskOperator(ctx context.Context, p AskParams) (AskResult, error) {
	if p.TimeoutMS == 0 {
		p.TimeoutMS = int(askTime.Milliseconds())
	}
	ctx, cancel := b.kit.Within(ctx, p.Timeout)
	defer cancel()
	tab, err := b.kit.Tab(p.Tab)
	if err != nil {
		return AskResult{}, err
	}
	answer, err := b.kit.Task.AskOperator(ctx, host.Question{Text: p.Question, Region: p.Region, Tab: tab})
	return AskResult{result.VisibleLines(answer)}, err
}

// Text is the answer, fenced like all that the host itself did not write.
func (r AskResult) Text() string { return r.Answer }
