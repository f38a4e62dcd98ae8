// Package toolresult is what a command shows of a tool's result: its text, its pictures, and how it failed.
package toolresult

import (
	"maps"
	"strings"

	"github.com/hermes-cdp/hermes-cdp/host/agent"
	"github.com/hermes-cdp/hermes-cdp/internal/pagetext"
)

// Lines are what a model reads of a result, and the files that were written. Whoever made the text, nothing in it
// steers a terminal.
func Lines(r agent.Result, pictures []Picture) []string {
	lines := strings.Split(strings.TrimRight(pagetext.Lines(r.Text), "\n"), "\n")
	for _, p := range pictures {
		if p.ours {
			lines = append(lines, "picture written to "+pagetext.Line(p.Path))
		}
	}
	return lines
}

// WithPictures adds the pictures to the object of a result.
func WithPictures(object map[string]any, pictures []Picture) map[string]any {
	out := map[string]any{}
	maps.Copy(out, object)
	if len(pictures) > 0 {
		out["pictures"] = pictures
	}
	return out
}
