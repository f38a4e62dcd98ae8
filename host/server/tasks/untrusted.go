package tasks

import (
	"slices"

	"github.com/hermes-cdp/hermes-cdp/internal/pagetext"
)

// Untrusted returns the keys, in all parts and events of a task, whose values come from pages.
func Untrusted() []string { return slices.Clone(untrusted) }

var untrusted = []string{"url", "title", "name", "message", "default_prompt", "text", "source"}

// JSON encodes data about a task on one line, followed by a line feed. In text from pages everything that does not
// print is escaped, except line feeds and tabs. Errors are those of [json.Encoder.Encode].
func JSON(v any) ([]byte, error) {
	text, err := pagetext.Marshal(v)
	if err != nil {
		return nil, err
	}
	return pagetext.JSON(append(text, '\n')), nil
}
