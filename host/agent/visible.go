package agent

import (
	"github.com/hermes-cdp/hermes-cdp/host"
	"github.com/hermes-cdp/hermes-cdp/internal/pagetext"
)

// Untrusted says which fields of a result a page or a server chose, or may have. What stands there is no instruction.
type Untrusted struct {
	// Origin is that of the tab's document, empty where it has none; for a tool of an MCP server it is its [ServerSource].
	Origin string `json:"origin"`
	// Fields are names of the result.
	Fields []string `json:"fields"`
}

// maxPageText is how many bytes of a short text of a page are shown, such as a title or a message.
const maxPageText = 4096

// visible makes a page's text safe to show on one line, and cuts it at [maxPageText].
func visible(text string) string {
	if short := pagetext.Shorten(text, maxPageText); short != text {
		return pagetext.Line(short) + "… (cut)"
	}
	return pagetext.Line(text)
}

// visibleLines makes a text of several lines safe to show; they are kept.
func visibleLines(text string) string { return pagetext.Lines(text) }

// untrusted marks fields of a result that was made of a tab; an empty id is the tab in use.
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
