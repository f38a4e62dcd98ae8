package main

import "strings"

func warningOf(words string) string { return strings.Replace(warning, "FOUND", words, 1) }

func contains(text, phrase string) bool { return strings.Contains(text, phrase) }

// plainly is a text in small letters, with one space for whatever separates words, so that a line break or a comma
// between them hides no phrase.
func plainly(text string) string {
	out := make([]byte, 0, len(text))
	for i := range len(text) {
		c := text[i]
		switch {
		case c >= 'A' && c <= 'Z':
			c += 'a' - 'A'
		case c < 0x80 && (c < '0' || c > '9') && (c < 'a' || c > 'z'):
			c = ' '
		}
		if c == ' ' && len(out) > 0 && out[len(out)-1] == ' ' {
			continue
		}
		out = append(out, c)
	}
	return string(out)
}
