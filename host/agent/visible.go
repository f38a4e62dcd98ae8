package agent

import (
	"github.com/hermes-cdp/hermes-cdp/host"
	"github.com/hermes-cdp/hermes-cdp/internal/pagetext"
)

// Untrusted says which fields of a result a page or a server may have written. Their text is never an instruction.
type Untrusted struct {
	// Origin is that of the tab's document, or empty if it has none. For a tool of an MCP server it is its [ServerSource].
	Origin string `json:"origin"`
	// Fields are keys of the result.
	Fields []string `json:"fields"`
}

// maxPageText limits a short text of a page, such as a title or a message, in bytes.
const maxPageText = 4096

// visible makes a page's text safe to show on one line and cuts it to [maxPageText].
func visible(text string) string {
	if short := pagetext.Shorten(text, maxPageText); short != text {
		return pagetext.Line(short) + "… (cut)"
	}
	return pagetext.Line(text)
}

// visibleLines makes a text safe to show and keeps its line breaks.
func visibleLines(text string) string { return pagetext.Lines(text) }

// untrusted marks fields of a result about a tab; an empty id is the tab in use.
func (b *Browser) untrusted(tab string, fields ...string) *Untrusted {
	return &Untrusted{Origin: originOf(b.task.Snapshot(), tab), Fields: fields}
}

func originOf(s *host.Snapshot, tab string) string {
	target := s.Page()
	if tab != "" {
		target = s.Target(tab)
	}
	if target == nil || target.RawFrameTree == nil {
		return ""
	}
	return target.RawFrameTree.Top.Origin
}
