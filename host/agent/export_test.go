package agent

import (
	"encoding/json"
	"errors"
	"testing"

	"github.com/hermes-cdp/hermes-cdp/host/fault"
)

func TestExport(t *testing.T) {
	tools := []Tool{
		{Name: "one", Title: "One", Description: "The first.", Input: json.RawMessage(`{"type":"object"}`), Output: json.RawMessage(`{"type":"object"}`), ReadOnly: true, OpenWorld: true},
		{Name: "two", Description: "The second.", Input: json.RawMessage(`{"type":"object"}`)},
	}
	for format, want := range map[string]string{
		"mcp": `{"tools":[{"name":"one","title":"One","description":"The first.","inputSchema":{"type":"object"},"outputSchema":{"type":"object"},"annotations":{"readOnlyHint":true}},` +
			`{"name":"two","description":"The second.","inputSchema":{"type":"object"},"annotations":{"destructiveHint":false,"openWorldHint":false}}]}`,
		"openai": `[{"type":"function","function":{"name":"one","description":"The first.","parameters":{"type":"object"}}},` +
			`{"type":"function","function":{"name":"two","description":"The second.","parameters":{"type":"object"}}}]`,
		"anthropic": `[{"name":"one","description":"The first.","input_schema":{"type":"object"}},{"name":"two","description":"The second.","input_schema":{"type":"object"}}]`,
	} {
		value, err := Export(format, tools)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := json.Marshal(value); err != nil || string(got) != want {
			t.Errorf("%s: got\n%s\nwant\n%s (%v)", format, got, want, err)
		}
	}
	if _, err := Export("xml", tools); !errors.Is(err, fault.ErrFormat) {
		t.Errorf("got %v", err)
	}
}
