package result

import (
	"bytes"
	"encoding/json"
	"fmt"
)

// Texter is a result with a text for models.
type Texter interface{ Text() string }

// Imager is a result with pictures.
type Imager interface{ Images() []Image }

// Succeeded returns the result of a call that did what was asked.
func Succeeded(value any, tools Offered) (Result, error) {
	if r, ok := value.(Result); ok { // made by a plugin, a server or an embedder
		r.Text = Fence(r.Text)
		return r, nil
	}
	object := map[string]any{}
	encoded, err := json.Marshal(value)
	if err != nil {
		return Result{}, fmt.Errorf("the result cannot be encoded as JSON: %w", err)
	}
	decoder := json.NewDecoder(bytes.NewReader(encoded))
	decoder.UseNumber() // numbers of pages stay as they wrote them
	if err := decoder.Decode(&object); err != nil || object == nil {
		object = map[string]any{"result": json.RawMessage(encoded)}
	}
	r := Result{Structured: object, Text: textOf(value, tools)}
	if s, ok := value.(interface{ Succeeded() bool }); ok {
		r.IsError = !s.Succeeded()
	}
	object["success"] = !r.IsError
	if i, ok := value.(Imager); ok {
		r.Images = i.Images()
	}
	return r, nil
}
