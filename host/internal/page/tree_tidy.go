package page

import (
	"slices"
	"strings"
)

// tidy makes the tree compact: adjacent texts are joined, repetitions are removed, and a text that is all the content
// of an element becomes its value.
func tidy(n *Node) {
	for _, child := range n.Children {
		tidy(child)
	}
	n.Children = withoutLabels(joinTexts(n.Children))
	repeats := namedByChildren[n.Role] && n.repeats()
	if repeats && (n.marked || slices.ContainsFunc(n.Children, func(child *Node) bool { return child.Role != roleText })) {
		n.Name = "" // before the texts between the elements are dropped as parts of it
	}
	if namedByText[n.Role] {
		n.Children = withoutText(n.Children, collapseSpace(n.Name))
	}
	n.Children = withoutTextOf(n.Children, collapseSpace(n.Name), collapseSpace(n.Value))
	if holdText[n.Role] {
		n.Children = slices.DeleteFunc(n.Children, func(child *Node) bool { return (!child.Acts || isTime[n.Role]) && child.Role != "iframe" })
		if n.Value == n.Name {
			n.Value = ""
		}
	}
	if repeats && len(n.Children) > 0 {
		n.Name = ""
	}
	if len(n.Children) == 1 && n.Value == "" && n.Parent != nil && n.Note == "" {
		takeText(n, n.Children[0])
	}
	n.Children = withoutEmpty(n.Children, n.Acts && actionableRoles[n.Role])
	if n.Role == "list" {
		withoutBullets(n.Children)
	}
	for i, child := range n.Children {
		if child.standsFor() {
			n.Children[i] = child.Children[0]
			n.Children[i].Parent = n
		}
	}
}

// repeats reports whether the words of a node's name are those of its content, in their order.
func (n *Node) repeats() bool {
	if n.Name == "" {
		return false
	}
	rest := strings.Fields(n.Name)
	n.eachWord(func(word string) bool {
		if n.marked {
			word = Unmarked(word)
		}
		for len(rest) > 0 && word != "" {
			if after, found := strings.CutPrefix(word, rest[0]); found {
				rest, word = rest[1:], after
			} else if after, found := strings.CutPrefix(rest[0], word); found {
				rest[0], word = after, ""
			} else {
				return true
			}
		}
		return len(rest) > 0
	})
	return len(rest) == 0
}

// eachWord gives the words of what is below a node to yield, until it returns false.
func (n *Node) eachWord(yield func(string) bool) bool {
	for _, child := range n.Children {
		for _, text := range []string{child.Name, child.Value} {
			for word := range strings.FieldsSeq(text) {
				if !yield(word) {
					return false
				}
			}
		}
		if !child.eachWord(yield) {
			return false
		}
	}
	return true
}

// standsFor reports whether an element only listens for what is done to the one element in it, which gets it first.
func (n *Node) standsFor() bool {
	return n.listens && n.Role == "generic" && n.Name == "" && n.Value == "" && len(n.States) == 0 && !n.Focused && len(n.Children) == 1 && n.Children[0].Acts
}

// isTime are the roles of fields that are filled in as a whole, though Chromium draws them in parts.
var isTime = set("datebox timebox")

// takeText makes the only text in an element its value.
func takeText(n, text *Node) {
	if text.Role != roleText {
		return
	}
	n.Value, n.InView = text.Name, n.InView || text.InView
	n.Children = nil
	if collapseSpace(n.Value) == collapseSpace(n.Name) {
		n.Value = ""
	}
}

func joinTexts(nodes []*Node) []*Node {
	out := nodes[:0]
	for _, n := range nodes {
		if n.Role == roleText && isBlank(n.Name) {
			if last := len(out) - 1; last >= 0 && out[last].Role == roleText {
				out[last].Name += " "
			}
			continue
		}
		if n.Role == roleText && len(out) > 0 && out[len(out)-1].Role == roleText {
			last := out[len(out)-1]
			between := blockBreak
			switch {
			case last.flow == n.flow:
				between = ""
			case n.Key.Node < walkedKey: // the accessibility tree does not say what a block is
				between = " "
			}
			last.Name, last.flow, last.InView = last.Name+between+n.Name, n.flow, last.InView || n.InView
			continue
		}
		out = append(out, n)
	}
	return only(out, nodes)
}

// withoutLabels drops texts that only repeat the name of the control beside them.
func withoutLabels(nodes []*Node) []*Node {
	out := make([]*Node, 0, len(nodes))
	for i, n := range nodes {
		names := func(at int) bool {
			return at >= 0 && at < len(nodes) && nodes[at].Acts && collapseSpace(nodes[at].Name) == collapseSpace(n.Name)
		}
		if n.Role == roleText && (names(i-1) || names(i+1)) {
			continue
		}
		out = append(out, n)
	}
	return out
}

// withoutTextOf drops texts that equal the name of an element, as a legend does, or are part of its value.
func withoutTextOf(nodes []*Node, name, value string) []*Node {
	return slices.DeleteFunc(nodes, func(n *Node) bool {
		text := collapseSpace(n.Name)
		return n.Role == roleText && (text == name || value != "" && strings.Contains(value, text))
	})
}

// withoutText drops texts that are part of a name, at any depth.
func withoutText(nodes []*Node, name string) []*Node {
	if name == "" {
		return nodes
	}
	out := nodes[:0]
	for _, n := range nodes {
		if n.Role == roleText && strings.Contains(name, collapseSpace(n.Name)) {
			continue
		}
		if !n.Acts && n.Role != "iframe" {
			n.Children = withoutText(n.Children, name)
		}
		if n.Value != "" && !n.Acts && strings.Contains(name, collapseSpace(n.Value)) && !holdText[n.Role] {
			n.Value = ""
		}
		out = append(out, n)
	}
	return only(out, nodes)
}

// only is a list that was made in the place of another, of which nothing else is kept.
func only(out, nodes []*Node) []*Node {
	if len(out) == 0 {
		return nil
	}
	clear(nodes[len(out):])
	return out
}

// withoutBullets removes the icon of items that all have the same.
func withoutBullets(items []*Node) {
	others := func(item *Node) bool { return item.Role != "listitem" || item.Hint != items[0].Hint || item.Acts }
	if len(items) < 2 || slices.ContainsFunc(items, others) {
		return
	}
	for _, item := range items {
		item.Hint = ""
	}
}

// worthAlone are roles that mean something even without a name, a text and a child.
var worthAlone = set("iframe separator progressbar meter video audio canvas object math")

// withoutEmpty drops elements without content; in a control, also those that can only have the focus, which nobody can
// tell from it. What can be dragged and shows nothing says that. A cell before one with content stays: by its place in
// the row everybody tells to which column the other belongs.
func withoutEmpty(nodes []*Node, inControl bool) []*Node {
	isEmpty := func(n *Node) bool {
		return n.Name == "" && n.Value == "" && n.Note == "" && (n.Hint == "" || n.Acts) && len(n.Children) == 0
	}
	lastCell := len(nodes) - 1
	for lastCell >= 0 && (!cellNames[nodes[lastCell].Role] || isEmpty(nodes[lastCell])) {
		lastCell--
	}
	at := -1
	return slices.DeleteFunc(nodes, func(n *Node) bool {
		if at++; !isEmpty(n) {
			return false
		}
		if n.handle && n.Acts {
			n.States = append(n.States, "draggable")
		}
		if cellNames[n.Role] && at < lastCell {
			return false
		}
		isIdle := !n.Acts || inControl && n.Role == "generic" && !n.handles && !n.Focused
		return isIdle && !worthAlone[n.Role]
	})
}
