package page

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// What a page shows of a text by how it is set, readings write as Markdown and formulas do: ~~€20~~ is struck out, and
// $19^99 and 10^3 have digits above the line, which would be those of another number.
const (
	struck = "~~"
	above  = "^"
)

// emphasize marks the texts that an element has added, by the element's role, and what they are in.
func (n *Node) emphasize(role string, added []*Node) {
	marked := false
	for i, text := range added {
		switch {
		case text.Role != roleText || isBlank(text.Name):
		case role == "deletion":
			text.Name, marked = within(text.Name, struck), true
		case role == "superscript" && startsWithDigit(text.Name) && i == 0 && n.endsWithDigitBefore(text):
			text.Name, marked = above+text.Name, true
		}
	}
	for ; marked && n != nil && !n.marked; n = n.Parent {
		n.marked = true
	}
}

// within puts a mark on both sides of a text, inside the white space around it.
func within(text, mark string) string {
	word := strings.TrimSpace(text)
	before, after, _ := strings.Cut(text, word)
	return before + mark + word + mark + after
}

// endsWithDigitBefore reports whether the text before another is a part of the same line and ends with a digit.
func (n *Node) endsWithDigitBefore(text *Node) bool {
	for i, child := range n.Children {
		if child == text {
			return i > 0 && n.Children[i-1].Role == roleText && n.Children[i-1].flow == text.flow && endsWithDigit(n.Children[i-1].Name)
		}
	}
	return false
}

func startsWithDigit(text string) bool {
	first, _ := utf8.DecodeRuneInString(text)
	return unicode.IsDigit(first)
}

func endsWithDigit(text string) bool {
	last, _ := utf8.DecodeLastRuneInString(text)
	return unicode.IsDigit(last)
}

var withoutMarks = strings.NewReplacer(struck, "", above, "")

// Unmarked is a text without the marks that readings have, and pages have not.
func Unmarked(text string) string { return withoutMarks.Replace(text) }
