package plugin

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// sanitize makes text from a guest safe for logs, terminals and errors: it is cut at limit bytes, and whatever is not
// printable (control characters, escape sequences, bidirectional overrides, invalid UTF-8) is escaped.
func sanitize(text []byte, limit int) string {
	cut := len(text) > limit
	if cut {
		text = text[:limit]
	}
	var b strings.Builder
	b.Grow(len(text))
	for len(text) > 0 {
		r, size := utf8.DecodeRune(text)
		switch {
		case r == utf8.RuneError && size == 1:
			fmt.Fprintf(&b, `\x%02x`, text[0])
		case unicode.IsPrint(r):
			b.WriteRune(r)
		case r == '\n':
			b.WriteString(`\n`)
		case r == '\t':
			b.WriteString(`\t`)
		case r < 0x80:
			fmt.Fprintf(&b, `\x%02x`, r)
		default:
			fmt.Fprintf(&b, `\u{%x}`, r)
		}
		text = text[size:]
	}
	if cut {
		b.WriteString("...")
	}
	return b.String()
}
