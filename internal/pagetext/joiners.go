package pagetext

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

const (
	joiner    = '\u200d' // makes one picture of several emoji, and letters join
	nonJoiner = '\u200c' // keeps letters apart that would join
)

// joining are the scripts whose letters change their form beside each other, so that joiners are part of the spelling.
var joining = []*unicode.RangeTable{
	unicode.Arabic, unicode.Syriac, unicode.Mongolian, unicode.Nko, unicode.Devanagari, unicode.Bengali, unicode.Gurmukhi,
	unicode.Gujarati, unicode.Oriya, unicode.Tamil, unicode.Telugu, unicode.Kannada, unicode.Malayalam, unicode.Sinhala,
}

// Joins reports whether the rune at an index of a text is a joiner that has its place there: between two emoji, or between
// letters of a script that joins them. It hides nothing there. Anywhere else it tells apart what looks the same.
func Joins(text string, at int) bool {
	r, size := utf8.DecodeRuneInString(text[at:])
	if r != joiner && r != nonJoiner {
		return false
	}
	before, after := text[:at], text[at+size:]
	return joinable(before, after) || r == joiner && endsInEmoji(before) && startsWithEmoji(after)
}

// joinable reports whether a text ends in a letter of a joining script, marks on it left out, and another goes on with one.
func joinable(before, after string) bool {
	last, _ := utf8.DecodeLastRuneInString(strings.TrimRightFunc(before, unicode.IsMark))
	next, _ := utf8.DecodeRuneInString(after)
	return unicode.IsLetter(last) && unicode.In(last, joining...) &&
		(unicode.IsLetter(next) || unicode.IsMark(next)) && unicode.In(next, joining...)
}

// An arrow that is no symbol by its category, and part of an emoji: a head that is shaken.
const arrow = '\u2194'

func startsWithEmoji(text string) bool {
	r, _ := utf8.DecodeRuneInString(text)
	return unicode.Is(unicode.So, r) && r != utf8.RuneError || r == arrow
}

// endsInEmoji allows for the selector of a picture and for the colour of a skin.
func endsInEmoji(text string) bool {
	text = strings.TrimRight(text, "\ufe0f\U0001f3fb\U0001f3fc\U0001f3fd\U0001f3fe\U0001f3ff")
	r, _ := utf8.DecodeLastRuneInString(text)
	return unicode.Is(unicode.So, r) && r != utf8.RuneError
}
