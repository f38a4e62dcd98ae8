// Package result has what the result of a tool is made of: its text and data, the fence around what pages and servers
// say, what went wrong, and advice that names only tools that the client has.
package result

import (
	"maps"
)

// Result is the answer of a tool.
type Result struct {
	// Text is for a model: plain lines, the most important ones first.
	Text string `json:"text"`
	// Structured is for a program. Its key success says whether the tool did what was asked. If not, its key error says
	// why, and kind is one word for that.
	Structured map[string]any `json:"structured"`
	// Images are shown with the text.
	Images []Image `json:"images,omitempty"`
	// IsError says that the tool did not do what was asked.
	IsError bool `json:"is_error,omitempty"`
}

// With returns the result with one more key. It leaves the map unchanged, which may be an embedder's own.
func (r Result) With(key string, value any) Result {
	r.Structured = maps.Clone(r.Structured)
	if r.Structured == nil {
		r.Structured = map[string]any{}
	}
	r.Structured[key] = value
	return r
}

// Image is a picture in a result.
type Image struct {
	// MIMEType is image/png or image/jpeg.
	MIMEType string `json:"mime_type"`
	Data     []byte `json:"data"`
}
