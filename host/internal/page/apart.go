package page

import (
	"slices"
	"strings"

	cdproto "github.com/chromedp/cdproto/cdp"
)

// Showing returns the elements of a frame, or without one of all, that show a text: those whose name, value or block of
// text it is, or if there are none those that have it in theirs. Upper and lower case differ, unless nothing is found
// otherwise.
func (t *Tree) Showing(text string, frame cdproto.FrameID) []*Node {
	wanted := collapseSpace(text)
	for _, is := range []func(shown string) bool{
		func(shown string) bool { return shown == wanted },
		func(shown string) bool { return strings.EqualFold(shown, wanted) },
		func(shown string) bool { return strings.Contains(strings.ToLower(shown), strings.ToLower(wanted)) },
	} {
		var found []*Node
		for _, n := range t.nodes {
			shown := append(strings.Split(n.Name, blockBreak), n.Value)
			if !slices.ContainsFunc(shown, func(text string) bool { return is(collapseSpace(text)) }) {
				continue
			}
			for n.Role == roleText && n.Parent != nil {
				n = n.Parent
			}
			if last := len(found) - 1; last >= 0 && found[last].has(n) {
				found = found[:last] // the innermost
			}
			if n.isIn(frame) {
				found = append(found, n)
			}
		}
		if found != nil {
			return found
		}
	}
	return nil
}

// has reports whether a node is another one, or has it below it.
func (n *Node) has(other *Node) bool { return n.index <= other.index && other.index < n.index+n.below }

// Apart tells nodes of one tree from each other by the largest part of the page around each that has none of the others
// (in row "Report 12 KB Delete"), or by what is before that if it says nothing more (after "Report"); empty if neither
// says anything. The nodes are in document order.
func (t *Tree) Apart(nodes []*Node) []string {
	said := make([]string, len(nodes))
	for i, n := range nodes {
		alone := func(part *Node) bool {
			return (i == 0 || !part.has(nodes[i-1])) && (i == len(nodes)-1 || !part.has(nodes[i+1]))
		}
		part := n
		for part.Parent != nil && part.Parent != t.Root && alone(part.Parent) {
			part = part.Parent
		}
		if text := part.says(); text != "" && text != n.says() {
			said[i] = "in " + strings.TrimSpace(Describe(map[bool]string{false: part.Role}[part.Role == "generic"], text))
		} else if before := part.before(); before != "" {
			said[i] = Describe("after", before)
		}
	}
	return said
}

// says is what a node says of itself, or has in it.
func (n *Node) says() string {
	if n.Name != "" {
		return collapseSpace(n.Name)
	}
	words := strings.Fields(n.Value)
	n.eachWord(func(word string) bool {
		words = append(words, word)
		return len(words) <= MaxDescribed // which are enough characters
	})
	return collapseSpace(strings.Join(words, " "))
}

// before is what stands closest before a node in what it is in.
func (n *Node) before() (says string) {
	if n.Parent == nil {
		return ""
	}
	for _, sibling := range n.Parent.Children {
		if sibling == n {
			break
		}
		if text := sibling.says(); text != "" {
			says = text
		}
	}
	return says
}
