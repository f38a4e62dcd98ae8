package main

import "strings"

const (
	mask = "[masked]"
	// leastToken is how much of a token must follow its beginning, so that a word is none.
	leastToken = 12
)

// masked returns a text without secrets; the text itself if it has none.
func (s settings) masked(text string) string {
	var out []byte
	copied := 0
	for at := 0; at < len(text); {
		length := s.secretAt(text, at)
		if length == 0 {
			at++
			continue
		}
		out = append(append(out, text[copied:at]...), mask...)
		at += length
		copied = at
	}
	if copied == 0 {
		return text
	}
	return string(append(out, text[copied:]...))
}

// secretAt is the length of the secret that begins there; 0 if none does.
func (s settings) secretAt(text string, at int) int {
	if at > 0 && isWord(text[at-1]) {
		return 0
	}
	rest := text[at:]
	if s.cards && isDigit(rest[0]) {
		return cardLength(rest)
	}
	for _, prefix := range s.prefixes {
		if !strings.HasPrefix(rest, prefix) {
			continue
		}
		end := len(prefix)
		for end < len(rest) && (isWord(rest[end]) || rest[end] == '-' || rest[end] == '.') {
			end++
		}
		if end >= len(prefix)+leastToken {
			return end
		}
	}
	return 0
}

// cardLength is the length of the card number that a text begins with: its digits and what separates them; 0 if it
// begins with none. The check digit is Luhn's (ISO/IEC 7812-1).
func cardLength(text string) int {
	var digits []int
	end := 0
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case isDigit(c):
			digits = append(digits, int(c-'0'))
			end = i + 1
		case c != ' ' && c != '-' || i != end: // one separator at a time
			i = len(text)
		}
	}
	if len(digits) < 13 || len(digits) > 19 || end < len(text) && isWord(text[end]) {
		return 0
	}
	sum := 0
	for i, digit := range digits {
		if (len(digits)-i)%2 == 0 {
			if digit *= 2; digit > 9 {
				digit -= 9
			}
		}
		sum += digit
	}
	if sum == 0 || sum%10 != 0 {
		return 0
	}
	return end
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

func isWord(c byte) bool {
	return isDigit(c) || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '_'
}
