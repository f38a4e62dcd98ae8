package route

import "strings"

// Matches reports whether a text matches a pattern as defined for Fetch.RequestPattern: * is any text, ? is any byte,
// and a backslash escapes the next byte.
func Matches(pattern, text string) bool {
	star, mark := -1, 0 // the last star, and where the text after it begins
	p, t := 0, 0
	for t < len(text) {
		if p < len(pattern) && pattern[p] == '*' {
			star, mark = p, t
			p++
			continue
		}
		if p < len(pattern) {
			width, is := matchByte(pattern[p:], text[t])
			if is {
				p += width
				t++
				continue
			}
		}
		if star < 0 {
			return false
		}
		mark++
		p, t = star+1, mark
	}
	return strings.Trim(pattern[p:], "*") == ""
}

// matchByte reports whether a pattern begins with a byte, and how long that part of the pattern is.
func matchByte(pattern string, b byte) (width int, is bool) {
	switch {
	case pattern[0] == '?':
		return 1, true
	case pattern[0] == '\\' && len(pattern) > 1:
		return 2, pattern[1] == b
	}
	return 1, pattern[0] == b
}
