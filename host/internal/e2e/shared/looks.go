package shared

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
)

// shown is how many bytes of a value a person reads.
const shown = 6000

// Dump shows a value, cut to what a person reads.
func Dump(v any) string {
	text, err := json.Marshal(v)
	if err != nil {
		return err.Error()
	}
	return string(text[:min(len(text), shown)])
}

// LookUp gives a member of a value that has JSON, its path parted by dots, as JSON; null where there is none.
func LookUp(t *testing.T, v any, path string) string {
	t.Helper()
	encoded, err := json.Marshal(v)
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
	if encoded, err = json.Marshal(value); err != nil {
		t.Fatal(err)
	}
	return string(encoded)
}
