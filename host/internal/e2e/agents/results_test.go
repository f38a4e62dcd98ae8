package agents

import (
	"encoding/json"
	"testing"

	"github.com/hermes-cdp/hermes-cdp/host/agent"
	"github.com/hermes-cdp/hermes-cdp/host/internal/e2e/shared"
)

// show is a result as it leaves a server.
func show(r agent.Result) string { return r.Text + "\n" + shared.Dump(r.Structured) }

// lookUp is a member of a result, its path parted by dots, as JSON; null where there is none.
func lookUp(t *testing.T, r agent.Result, path string) string {
	t.Helper()
	return shared.LookUp(t, r.Structured, path)
}

// text is lookUp of a text.
func text(t *testing.T, r agent.Result, path string) string {
	t.Helper()
	var s string
	if err := json.Unmarshal([]byte(lookUp(t, r, path)), &s); err != nil {
		t.Errorf("%s is no text in %s", path, show(r))
	}
	return s
}

// want compares a member of a result, given as JSON.
func want(t *testing.T, r agent.Result, path, value string) {
	t.Helper()
	if got := lookUp(t, r, path); got != value {
		t.Errorf("%s is %s, want %s, in %s", path, got, value, show(r))
	}
}

// wantKeys checks that a result has what every caller may count on.
func wantKeys(t *testing.T, r agent.Result, names ...string) {
	t.Helper()
	for _, name := range names {
		if _, ok := r.Structured[name]; !ok {
			t.Errorf("no %s in %s", name, show(r))
		}
	}
}

// is fails the test unless got is what it should be.
func is[T comparable](t *testing.T, what string, got, wanted T) {
	t.Helper()
	if got != wanted {
		t.Errorf("%s: got %v, want %v", what, got, wanted)
	}
}
