package agent

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/hermes-cdp/hermes-cdp/host"
)

// asksOperator is the one tool that works while a person has the task: it is how an agent asks for one.
const asksOperator = "browser_ask_operator"

// admit lets a call begin unless a person has the task. A call that ends because a person takes it over fails with
// [host.ErrHeldByOperator], whatever it was doing. Tools of MCP servers do not use the browser, and are let through.
func (b *Browser) admit(ctx context.Context, e entry) (_ context.Context, ended func(any, error) (any, error), err error) {
	if b == nil || e.Name == asksOperator || e.noBrowser && e.Source != SourceBrowser {
		return ctx, func(value any, err error) (any, error) { return value, err }, nil
	}
	ctx, done, err := b.task.Admit(ctx)
	return ctx, func(value any, err error) (any, error) {
		cause := context.Cause(ctx)
		done()
		if errors.Is(cause, host.ErrHeldByOperator) {
			return nil, cause
		}
		return value, err
	}, err
}

// HandBack is one entry of the key "handed_back" of a result: a person had the browser since the last one.
type HandBack struct {
	Note  string  `json:"note,omitempty"`
	HeldS float64 `json:"held_s"`
}

// tellHandBacks adds what people left for the agent when they gave the task back, once.
func (b *Browser) tellHandBacks(r Result) Result {
	if b.task.Held() != nil {
		return r // its refusal says so
	}
	var list []HandBack
	var lines []string
	for _, back := range b.task.TakeHandBacks() {
		took := back.Held.Round(time.Second)
		one := HandBack{Note: visibleLines(back.Note), HeldS: took.Seconds()}
		line := fmt.Sprintf("a person had the browser for %s and gave it back: read the page again, as it may have changed", took)
		if one.Note != "" {
			line += "; the note is\n" + fence(one.Note)
		}
		list, lines = append(list, one), append(lines, line)
	}
	if len(list) == 0 {
		return r
	}
	r = r.with("handed_back", list)
	r.Text = strings.Join(append(lines, r.Text), "\n")
	return r
}
