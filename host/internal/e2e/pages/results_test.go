package pages

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/hermes-cdp/hermes-cdp/host/agent"
)

var refPattern = regexp.MustCompile(`@(e[0-9]+)`)

// ref is the ref of the first line of a snapshot that has a text; empty where there is none.
func ref(r agent.Result, text string) string {
	snapshot, _ := r.Structured["snapshot"].(string)
	for line := range strings.Lines(snapshot) {
		if found := refPattern.FindStringSubmatch(line); found != nil && strings.Contains(line, text) {
			return found[1]
		}
	}
	return ""
}

// show is a result as it leaves a server.
func show(r agent.Result) string { return r.Text + "\n" + dump(r.Structured) }

// dump shows a value, cut to what a person reads.
func dump(v any) string {
	text, err := json.Marshal(v)
	if err != nil {
		return err.Error()
	}
	return string(text[:min(len(text), 4000)])
}

// lookUp is a member of a result, its path parted by dots, as JSON; null where there is none.
func lookUp(t *testing.T, r agent.Result, path string) string {
	t.Helper()
	encoded, err := json.Marshal(r.Structured)
	if err != nil {
		t.Fatal(err)
	}
	var value any
	if err := json.Unmarshal(encoded, &value); err != nil {
		t.Fatal(err)
	}
	for name := range strings.SplitSeq(path, ".") {
		switch v := value.(type) {
		case map[string]any:
			value = v[name]
		case []any:
			var i int
			if _, err := fmt.Sscan(name, &i); err != nil || i >= len(v) {
				return "null"
			}
			value = v[i]
		default:
			return "null"
		}
	}
	encoded, err = json.Marshal(value)
	if err != nil {
		t.Fatal(err)
	}
	return string(encoded)
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

// is fails the test unless got is what it should be.
func is[T comparable](t *testing.T, what string, got, wanted T) {
	t.Helper()
	if got != wanted {
		t.Errorf("%s: got %v, want %v", what, got, wanted)
	}
}
