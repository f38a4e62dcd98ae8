package page

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"
)

// What a page shows of a text by how it is set, readings write as Markdown and formulas do: ~~€20~~ is struck out, and
// $19^99, 10^-3 and m^2 have numbers above the line, which would be parts of what is before them.
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

// raised is a number that may stand above the line.
var raised = regexp.MustCompile(`^[-+−]?\d`)

// runsInto reports whether a text ends with what the number at the beginning of the next would be a part of.
func (n *Node) runsInto(next *Node) bool {
	last, _ := utf8.DecodeLastRuneInString(n.Name)
	return n.Role == roleText && n.flow == next.flow && (unicode.IsDigit(last) || unicode.IsLetter(last) || last == ')') && raised.MatchString(next.Name)
}

var withoutMarks = strings.NewReplacer(struck, "", above, "")

// Unmarked is a text without the marks that readings have, and pages have not.
func Unmarked(text string) string { return withoutMarks.Replace(text) }
