package e2e

import (
	"encoding/json"
	"testing"

	"github.com/hermes-cdp/hermes-cdp/host"
)

// evaluateIn gives the JSON of an expression in the top frame of a tab.
func (w *world) evaluateIn(id, expression string) string {
	w.t.Helper()
	value, err := w.Tab(id).Evaluate(w.ctx, expression, &host.EvaluateOptions{AwaitPromise: true, UserGesture: true})
	if err != nil {
		w.t.Fatalf("evaluate %s in %s: %v", expression, id, err)
	}
	return string(value.Value)
}

func decode(t *testing.T, text string, into any) {
	t.Helper()
	if err := json.Unmarshal([]byte(text), into); err != nil {
		t.Fatalf("%s: %v", text, err)
	}
}
