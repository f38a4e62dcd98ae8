package pagetext

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

const (
	joiner    = '\u200d' // joins several emoji into one, and letters
	nonJoiner = '\u200c' // separates letters that would join
)

// joining are the scripts whose letters change form next to each other, so that joiners are part of the spelling.
var joining = []*unicode.RangeTable{
	unicode.Arabic, unicode.Syriac, unicode.Mongolian, unicode.Nko, unicode.Devanagari, unicode.Bengali, unicode.Gurmukhi,
	unicode.Gujarati, unicode.Oriya, unicode.Tamil, unicode.Telugu, unicode.Kannada, unicode.Malayalam, unicode.Sinhala,
}

// Joins reports whether the rune at an index of a text is a joiner in a legitimate place: between two emoji, or between
// letters of a joining script. Anywhere else it makes texts differ that look the same.
func Joins(text string, at int) bool {
	r, size := utf8.DecodeRuneInString(text[at:])
	if r != joiner && r != nonJoiner {
		return false
	}
	before, after := text[:at], text[at+size:]
	return joinable(before, after) || r == joiner && endsInEmoji(before) && startsWithEmoji(after)
}

// joinable reports whether before ends in a letter of a joining script, ignoring marks, and after begins with one.
func joinable(before, after string) bool {
	last, _ := utf8.DecodeLastRuneInString(strings.TrimRightFunc(before, unicode.IsMark))
	next, _ := utf8.DecodeRuneInString(after)
	return unicode.IsLetter(last) && unicode.In(last, joining...) &&
		(unicode.IsLetter(next) || unicode.IsMark(next)) && unicode.In(next, joining...)
}

// arrow is part of the emoji for a shaken head, although its category is not a symbol.
const arrow = '\u2194'

func startsWithEmoji(text string) bool {
	r, _ := utf8.DecodeRuneInString(text)
	return unicode.Is(unicode.So, r) && r != utf8.RuneError || r == arrow
}

// endsInEmoji ignores variation selectors and skin tones.
func endsInEmoji(text string) bool {
	text = strings.TrimRight(text, "\ufe0f\U0001f3fb\U0001f3fc\U0001f3fd\U0001f3fe\U0001f3ff")
	r, _ := utf8.DecodeLastRuneInString(text)
	return unicode.Is(unicode.So, r) && r != utf8.RuneError
}
