package schema_test

import (
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/hermes-cdp/hermes-cdp/host/internal/schema"
)

// dialogPolicy is the schema of a shipped module.
func dialogPolicy(t *testing.T) *schema.Schema {
	t.Helper()
	text, err := os.ReadFile("../../../plugins/dialog-policy/manifest.json")
	if err != nil {
		t.Fatal(err)
	}
	var manifest struct {
		Schema json.RawMessage `json:"config_schema"`
	}
	if err := json.Unmarshal(text, &manifest); err != nil {
		t.Fatal(err)
	}
	s, err := schema.Compile(string(manifest.Schema))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestErrorsNameThePlaceTheValueAndWhatIsAllowed(t *testing.T) {
	s := dialogPolicy(t)
	rule := func(key string, value any) map[string]any {
		return map[string]any{"rules": []any{map[string]any{"verdict": "hold"}, map[string]any{"verdict": "accept", key: value}}}
	}
	cases := []struct {
		name  string
		value any
		want  string
	}{
		{"nothing", map[string]any{}, ""},
		{"all that is allowed", map[string]any{"policy": "auto_accept", "dialog_timeout_s": 3, "rules": []map[string]any{{"verdict": "hold"}}}, ""},
		{"a word that does not exist", map[string]any{"policy": "accept"}, `policy: "accept" is not possible; want "must_respond" or "auto_dismiss" or "auto_accept"`},
		{"an unknown key", map[string]any{"polcy": "auto_accept"}, `unknown "polcy"`},
		{"a wrong type", map[string]any{"dialog_timeout_s": "3s"}, `dialog_timeout_s: "3s" is a string; want number`},
		{"a number that is too small", map[string]any{"dialog_timeout_s": 0}, "dialog_timeout_s: 0 is too small; want at least 0.001"},
		{"a number that is too large", map[string]any{"dialog_timeout_s": 1e9}, "dialog_timeout_s: 1000000000 is too large; want at most 604800"},
		{"a missing key in a list", map[string]any{"rules": []any{map[string]any{}}}, `rules[0]: missing "verdict"`},
		{"a deep place", rule("frame", "main"), `rules[1].frame: "main" is not possible; want "top" or "local" or "oopif"`},
		{"two places at once", map[string]any{"policy": 1, "dialog_timeout_s": false},
			`dialog_timeout_s: false is a boolean; want number; policy: 1 is not possible; want "must_respond" or "auto_dismiss" or "auto_accept"`},
		{"a text", "policy", `"policy" is a string; want object`},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			err := s.Check(c.value)
			if c.want == "" {
				if err != nil {
					t.Fatal(err)
				}
				return
			}
			if err == nil || err.Error() != c.want {
				t.Errorf("error is %v\nwant %s", err, c.want)
			}
		})
	}
}

func TestSecretsAreNotShown(t *testing.T) {
	s, err := schema.Compile(`{"properties": {"api_key": {"type": "string", "pattern": "^[a-z]+$", "maxLength": 4},
		"list": {"items": {"type": "string"}}}}`)
	if err != nil {
		t.Fatal(err)
	}
	for _, value := range []any{
		map[string]any{"api_key": "HUNTER2"}, map[string]any{"api_key": map[string]any{"x": "HUNTER2"}},
		map[string]any{"list": []any{map[string]any{"token": "HUNTER2"}}},
	} {
		if err := s.Check(value); err == nil || strings.Contains(err.Error(), "HUNTER2") {
			t.Errorf("%v gives %v", value, err)
		}
	}
}

func TestSchemasThatCannotBeUsedAreRejected(t *testing.T) {
	for text, want := range map[string]string{
		`{`:                                "is not JSON",
		`{"type": "objekt"}`:               "is not valid",
		`{"$ref": "https://example.com/"}`: "a reference that leads out of the schema is not followed",
		`{"$ref": "file:///etc/passwd"}`:   "a reference that leads out of the schema is not followed",
		`{"pattern": "("}`:                 "is not valid",
	} {
		if _, err := schema.Compile(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s gives %v\nwant %s", text, err, want)
		}
	}
}

func TestReferencesWithinASchemaWork(t *testing.T) {
	s, err := schema.Compile(`{"$defs": {"n": {"type": "integer"}}, "additionalProperties": {"$ref": "#/$defs/n"}}`)
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Check(map[string]int{"a": 1}); err != nil {
		t.Error(err)
	}
	if err := s.Check(map[string]any{"a": "b"}); err == nil || err.Error() != `a: "b" is a string; want integer` {
		t.Errorf("got %v", err)
	}
}

func TestAnEmptySchemaAllowsEverything(t *testing.T) {
	s, err := schema.Compile("")
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Check(map[string]any{"a": []int{1}}); err != nil {
		t.Error(err)
	}
}
