package agent

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/hermes-cdp/hermes-cdp/host"
)

// A client that may run no script is not given that power by a wait.
func TestAWaitForAnExpressionNeedsAToolThatRunsScript(t *testing.T) {
	w := newWorld(t, map[string]string{"/": ""}, Options{})
	for arguments, kind := range map[string]any{`{"expression":"1"}`: string(host.ErrRefused), `{"url":"*"}`: nil} {
		r, err := w.registry.Call(w.ctx, Call{Task: "task", Name: "browser_wait_for", Arguments: json.RawMessage(arguments), Toolsets: []string{"browser-read"}})
		if err != nil || r.Structured["kind"] != kind {
			t.Errorf("%s: %v, %v", arguments, r.Structured, err)
		}
	}
}

func TestAWaitForAnExpressionIsDisabledWithScript(t *testing.T) {
	w := newWorld(t, map[string]string{"/": ""}, Options{EvaluateDisabled: true})
	w.bad("browser_wait_for", `{"expression":"1"}`, host.ErrEvaluateDisabled)
}

// Without a tool for requests none is recorded, and one that has ended cannot be known: the error says so.
func TestAWaitForARequestSaysThatNoneWasRecorded(t *testing.T) {
	w := newWorld(t, map[string]string{"/": ""}, Options{})
	for _, want := range []string{"recorded only since this wait began", "no such request"} {
		var r Result
		var err error
		// A busy machine may need more until it waits at all.
		for limit := 200; limit <= 20_000; limit *= 10 {
			arguments := fmt.Appendf(nil, `{"request":"/save","timeout_ms":%d}`, limit)
			r, err = w.registry.Call(w.ctx, Call{Task: "task", Name: "browser_wait_for", Arguments: arguments, Toolsets: []string{"browser"}})
			if err != nil || strings.Contains(r.Text, want) {
				break
			}
		}
		if err != nil || r.Structured["kind"] != string(host.ErrTimeout) || !strings.Contains(r.Text, want) {
			t.Errorf("%s, %v, want %q", r.Text, err, want)
		}
	}
}
