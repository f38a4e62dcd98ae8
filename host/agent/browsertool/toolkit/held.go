package toolkit

import (
	"fmt"
	"strings"
	"time"

	"github.com/hermes-cdp/hermes-cdp/host/agent/internal/result"
)

// HandBack is one entry of the key "handed_back" of a result: a person had the browser since the last one.
type HandBack struct {
	Note  string  `json:"note,omitempty"`
	HeldS float64 `json:"held_s"`
}

// tellHandBacks adds what people left for the agent when they gave the task back, once.
func (k *Kit) tellHandBacks(r result.Result) result.Result {
	if k.Task.Held() != nil {
		return r // its refusal says so
	}
	var list []HandBack
	var lines []string
	for _, back := range k.Task.TakeHandBacks() {
		took := back.Held.Round(time.Second)
		one := HandBack{Note: result.VisibleLines(back.Note), HeldS: took.Seconds()}
		line := fmt.Sprintf("a person had the browser for %s and gave it back: read the page again, as it may have changed", took)
		if one.Note != "" {
			line += "; the note is\n" + result.Fence(one.Note)
		}
		list, lines = append(list, one), append(lines, line)
	}
	if len(list) == 0 {
		return r
	}
	r = r.With("handed_back", list)
	r.Text = strings.Join(append(lines, r.Text), "\n")
	return r
}
