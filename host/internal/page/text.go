package page

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/hermes-cdp/hermes-cdp/internal/pagetext"
)

// maxDescribed caps the name of an element in an error, in characters.
const maxDescribed = 60

// Describe names an element in an error: button "Save".
func Describe(role, name string) string {
	if name == "" {
		return role
	}
	text, _ := clip(name, maxDescribed)
	return role + " " + text
}

// ShownName is the name of an element, shortened, with what does not print made visible.
func ShownName(n *Node) string { return pagetext.Line(shortName(n.Name)) }

// clip quotes a text of a page after joining its lines, and caps it at a number of characters; cut tells whether it did.
func clip(text string, limit int) (quoted string, cut bool) {
	text = squeeze(text)
	if utf8.RuneCountInString(text) <= limit {
		return quote(text), false
	}
	n := 0
	for at := range text {
		if n == limit {
			return quote(strings.TrimRight(text[:at], " ")) + "…", true
		}
		n++
	}
	return quote(text), false
}

// maxOrigin caps an origin, in characters.
const maxOrigin = 60

func shownOrigin(origin string) string {
	text, _ := clip(origin, maxOrigin)
	return text
}

// squeeze makes runs of white space one space each.
func squeeze(text string) string {
	if !strings.ContainsFunc(text, func(r rune) bool { return r != ' ' && unicode.IsSpace(r) }) && !strings.Contains(text, "  ") {
		return strings.TrimSpace(text)
	}
	return strings.Join(strings.Fields(text), " ")
}

// joiner is U+200D, which makes one picture of several emoji.
const joiner = '\u200d'

// quote shows a page's text in quotes. A joiner between two emoji stays, as it hides nothing there.
func quote(text string) string {
	if !strings.ContainsRune(text, joiner) {
		return pagetext.Quote(text)
	}
	parts := strings.Split(text, string(joiner))
	var out strings.Builder
	out.WriteByte('"')
	for i, part := range parts {
		if i > 0 && endsInEmoji(parts[i-1]) && startsWithEmoji(part) {
			out.WriteRune(joiner)
		} else if i > 0 {
			out.WriteString(pagetext.Escape(joiner))
		}
		quoted := pagetext.Quote(part)
		out.WriteString(quoted[1 : len(quoted)-1])
	}
	out.WriteByte('"')
	return out.String()
}

func startsWithEmoji(text string) bool {
	r, _ := utf8.DecodeRuneInString(text)
	return unicode.Is(unicode.So, r)
}

// endsInEmoji allows for the selector of a picture and for the colour of a skin.
func endsInEmoji(text string) bool {
	text = strings.TrimRight(text, "\ufe0f\U0001f3fb\U0001f3fc\U0001f3fd\U0001f3fe\U0001f3ff")
	r, _ := utf8.DecodeLastRuneInString(text)
	return unicode.Is(unicode.So, r)
}
