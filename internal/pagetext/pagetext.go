// Package pagetext makes text from pages safe to show to people, terminals and models: nothing in it can control a
// terminal, hide, change the writing direction, or pretend to be ours.
package pagetext

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Unprintable reports whether a rune does not print: control, format and private characters, and spaces other than ' '.
func Unprintable(r rune) bool { return !unicode.IsPrint(r) }

// Quote quotes a text, and escapes what does not print as in Go, except for legitimate joiners: see [Joins].
func Quote(text string) string {
	var out strings.Builder
	out.WriteByte('"')
	rest := 0
	inner := func(part string) string {
		quoted := strconv.Quote(part)
		return quoted[1 : len(quoted)-1]
	}
	for at, r := range text {
		if (r == joiner || r == nonJoiner) && Joins(text, at) {
			out.WriteString(inner(text[rest:at]))
			out.WriteRune(r)
			rest = at + utf8.RuneLen(r)
		}
	}
	out.WriteString(inner(text[rest:]))
	out.WriteByte('"')
	return out.String()
}

// QuoteShown quotes a text that [Line] has made visible, without escaping it again: it doubles a backslash only if it
// would escape a quote.
func QuoteShown(text string) string {
	var out strings.Builder
	out.WriteByte('"')
	slashes := 0
	double := func() { out.WriteString(strings.Repeat(`\`, slashes)) }
	for _, r := range text {
		switch r {
		case '\\':
			slashes++
		case '"':
			double()
			out.WriteByte('\\')
			slashes = 0
		default:
			slashes = 0
		}
		out.WriteRune(r)
	}
	double()
	out.WriteByte('"')
	return out.String()
}

// Escape returns a rune as in a Go literal, in ASCII.
func Escape(r rune) string {
	quoted := strconv.QuoteRuneToASCII(r)
	return quoted[1 : len(quoted)-1]
}

// Line joins the lines of a text and escapes what does not print.
func Line(text string) string {
	if strings.ContainsAny(text, "\r\n") {
		text = strings.Join(strings.Fields(text), " ")
	}
	return escape(text, Unprintable)
}

// Lines escapes what does not print, except for line feeds and tabs. All kinds of spaces become spaces.
func Lines(text string) string {
	return escape(text, func(r rune) bool { return r != '\n' && r != '\t' && Unprintable(r) })
}

func escape(text string, needs func(rune) bool) string {
	if strings.IndexFunc(text, needs) < 0 {
		return text
	}
	var out strings.Builder
	out.Grow(len(text))
	for at, r := range text {
		switch {
		case !needs(r) || Joins(text, at):
			out.WriteRune(r)
		case unicode.Is(unicode.Zs, r):
			out.WriteByte(' ')
		default:
			out.WriteString(Escape(r))
		}
	}
	return out.String()
}

// Shorten truncates a text to a number of bytes, but not within a rune.
func Shorten(text string, limit int) string {
	if len(text) <= limit {
		return text
	}
	for limit > 0 && !utf8.RuneStart(text[limit]) {
		limit--
	}
	return text[:limit]
}

// ShortenRunes truncates a text to a number of runes.
func ShortenRunes(text string, limit int) string {
	for at := range text {
		if limit--; limit < 0 {
			return text[:at]
		}
	}
	return text
}
