// Package pagetext makes text that a page chose safe to show to people, terminals and models: nothing steers a terminal,
// hides, turns the direction of writing, or pretends to be ours.
package pagetext

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Unprintable reports whether a rune does not print: control and format characters, private ones, spaces other than ' '.
func Unprintable(r rune) bool { return !unicode.IsPrint(r) }

// Quote shows a text in quotes, which it cannot leave, with whatever does not print escaped as in Go, but for joiners that
// have their place: see [Joins].
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

// QuoteShown puts quotes around a text that [Line] has made visible. It cannot leave them, and what was escaped is not
// escaped again: a backslash is only doubled where it would escape a quote.
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

// Escape writes a rune as Go would in a literal, in ASCII.
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

// Lines escapes what does not print but line feeds and tabs. Spaces of all kinds become spaces.
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

// Shorten cuts a text at a number of bytes, and never within a rune.
func Shorten(text string, limit int) string {
	if len(text) <= limit {
		return text
	}
	for limit > 0 && !utf8.RuneStart(text[limit]) {
		limit--
	}
	return text[:limit]
}

// ShortenRunes cuts a text at a number of runes.
func ShortenRunes(text string, limit int) string {
	for at := range text {
		if limit--; limit < 0 {
			return text[:at]
		}
	}
	return text
}
