package tasks

import (
	"bytes"
	"encoding/json"
	"slices"

	"github.com/hermes-cdp/hermes-cdp/internal/pagetext"
)

// Untrusted are the keys, of all parts and events of a task, whose values are the pages' text.
func Untrusted() []string { return slices.Clone(untrusted) }

var untrusted = []string{"url", "title", "name", "message", "default_prompt", "text", "source"}

// JSON encodes what is told of a task on one line, with a line feed at its end. Of the pages' text, whatever does not print
// is made visible, but for line feeds and tabs. Errors are those of [json.Encoder.Encode].
func JSON(v any) ([]byte, error) {
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(v); err != nil {
		return nil, err
	}
	return pagetext.JSON(out.Bytes()), nil
}
