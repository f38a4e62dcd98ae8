package schema

import (
	"encoding/json"
	"fmt"
	"math/big"
	"strconv"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"golang.org/x/text/language"
	"golang.org/x/text/message"

	"github.com/hermes-cdp/hermes-cdp/internal/secret"
)

var english = message.NewPrinter(language.English)

// maxShown is the maximum length of a value in a message, in bytes.
const maxShown = 80

// normalise converts a value to the types of encoding/json, with exact numbers.
func normalise(value any) (any, error) {
	text, err := json.Marshal(value)
	if err != nil {
		return nil, fmt.Errorf("is not JSON: %w", err)
	}
	return jsonschema.UnmarshalJSON(strings.NewReader(string(text)))
}

// place formats the path of a value in the usual way for configurations.
func place(path []string) string {
	var out strings.Builder
	for _, part := range path {
		switch _, err := strconv.Atoi(part); {
		case err == nil:
			out.WriteString("[" + part + "]")
		case out.Len() > 0:
			out.WriteString("." + part)
		default:
			out.WriteString(part)
		}
	}
	return out.String()
}

// at returns the value at a path, or nil if there is none.
func at(value any, path []string) any {
	for _, part := range path {
		switch v := value.(type) {
		case map[string]any:
			value = v[part]
		case []any:
			i, err := strconv.Atoi(part)
			if err != nil || i < 0 || i >= len(v) {
				return nil
			}
			value = v[i]
		default:
			return nil
		}
	}
	return value
}

func shown(value any, hidden bool) string {
	if hidden {
		return secret.Redacted
	}
	text, err := json.Marshal(value)
	if err != nil || len(text) > maxShown {
		return "the value"
	}
	if strings.HasPrefix(string(text), "{") {
		return "the object" // its members can be secrets
	}
	return string(text)
}

func number(n *big.Rat) string {
	f, _ := n.Float64()
	return strconv.FormatFloat(f, 'f', -1, 64)
}

func quoted(names []string) string {
	out := make([]string, len(names))
	for i, name := range names {
		out[i] = strconv.Quote(name[:min(len(name), maxShown)])
	}
	return strings.Join(out, ", ")
}

func words(values []any) string {
	out := make([]string, len(values))
	for i, value := range values {
		text, err := json.Marshal(value)
		if err != nil {
			text = []byte(fmt.Sprint(value))
		}
		out[i] = string(text)
	}
	return strings.Join(out, " or ")
}
