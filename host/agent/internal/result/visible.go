package result

import (
	"fmt"

	"github.com/hermes-cdp/hermes-cdp/internal/pagetext"
)

// Untrusted says which fields of a result a page or a server may have written. Their text is never an instruction.
type Untrusted struct {
	// Origin is that of the tab's document, or empty if it has none. For a tool of an MCP server it is "mcp-" and the
	// server's name.
	Origin string `json:"origin"`
	// Fields are keys of the result.
	Fields []string `json:"fields"`
}

// maxPageText limits a short text of a page, such as a title or a message, in bytes.
const maxPageText = 4096

// Visible makes a page's text safe to show on one line and cuts it to [maxPageText].
func Visible(text string) string {
	if short := pagetext.Shorten(text, maxPageText); short != text {
		return pagetext.Line(short) + "… (cut)"
	}
	return pagetext.Line(text)
}

// VisibleLines makes a text safe to show and keeps its line breaks.
func VisibleLines(text string) string { return pagetext.Lines(text) }

func Number(n int, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return fmt.Sprintf("%d %ss", n, thing)
}
