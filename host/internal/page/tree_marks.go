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

// emphasize marks the texts that an element has added to a node, from a place on, by the element's role; the node and
// what it is in know of it.
func (n *Node) emphasize(role string, from int) {
	marked := false
	for i, text := range n.Children[from:] {
		switch {
		case text.Role != roleText || isBlank(text.Name):
		case role == "deletion" && !strings.Contains(text.Name, struck):
			text.Name, marked = within(text.Name, struck), true
		case role == "superscript" && i == 0 && from > 0 && n.Children[from-1].runsInto(text):
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

// runsInto reports whether the digits at the end of a text and those at the beginning of the next make one number.
func (n *Node) runsInto(next *Node) bool {
	last, _ := utf8.DecodeLastRuneInString(n.Name)
	first, _ := utf8.DecodeRuneInString(next.Name)
	return n.Role == roleText && n.flow == next.flow && unicode.IsDigit(last) && unicode.IsDigit(first)
}

var withoutMarks = strings.NewReplacer(struck, "", above, "")

// Unmarked is a text without the marks that readings have, and pages have not.
func Unmarked(text string) string { return withoutMarks.Replace(text) }
