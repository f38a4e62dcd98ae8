// Package glob matches text against patterns with wildcards, for rules over origins and messages.
package glob

import "unicode/utf8"

// Match reports whether all of s matches the pattern: * stands for any text, including none, ? for one character, and
// everything else for itself. There are no escapes, and dots and slashes are not special, so "https://*.example.com"
// also matches "https://a.b.example.com". The time is at most proportional to the product of both lengths.
func Match(pattern, s string) bool {
	p, at := 0, 0
	star, resume := -1, 0 // the last *, and where in s the text after it was tried
	for at < len(s) {
		switch {
		case p < len(pattern) && pattern[p] == '*':
			star, resume = p, at
			p++
		case p < len(pattern) && pattern[p] == '?':
			p++
			at += width(s[at:])
		case p < len(pattern) && pattern[p] == s[at]:
			p++
			at++
		case star >= 0: // let the last * take one more character
			resume += width(s[resume:])
			p, at = star+1, resume
		default:
			return false
		}
	}
	for p < len(pattern) && pattern[p] == '*' {
		p++
	}
	return p == len(pattern)
}

func width(s string) int {
	_, n := utf8.DecodeRuneInString(s)
	return n
}
