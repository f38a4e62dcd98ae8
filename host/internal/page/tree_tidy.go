package page

import "strings"

// tidy makes the tree compact: texts that follow each other become one, what is said twice is said once, and a text that
// is all there is in an element becomes that one's.
func tidy(n *Node) {
	for _, child := range n.Children {
		tidy(child)
	}
	n.Children = withoutLabels(joinTexts(n.Children))
	if namedByText[n.Role] {
		n.Children = withoutText(n.Children, collapseSpace(n.Name))
	}
	n.Children = withoutTextOf(n.Children, collapseSpace(n.Name), collapseSpace(n.Value))
	if holdText[n.Role] {
		n.Children = onlyElements(n.Children)
		if n.Value == n.Name {
			n.Value = ""
		}
	}
	if namedByChildren[n.Role] && len(n.Children) > 0 {
		n.Name = ""
	}
	if len(n.Children) == 1 && n.Value == "" && n.Parent != nil && n.Note == "" {
		takeText(n, n.Children[0])
	}
	n.Children = withoutEmpty(n.Children)
}

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
		if n.Role == roleText && strings.TrimSpace(n.Name) == "" {
			if last := len(out) - 1; last >= 0 && out[last].Role == roleText {
				out[last].Name += " "
			}
			continue
		}
		if n.Role == roleText && len(out) > 0 && out[len(out)-1].Role == roleText {
			last := out[len(out)-1]
			between := " "
			if last.flow == n.flow {
				between = ""
			}
			last.Name, last.flow, last.InView = last.Name+between+n.Name, n.flow, last.InView || n.InView
			continue
		}
		out = append(out, n)
	}
	return out
}

// withoutLabels drops texts that are no more than the name of the control beside them.
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

// withoutTextOf drops texts that are the whole name of an element, as a legend is, or part of its value.
func withoutTextOf(nodes []*Node, name, value string) []*Node {
	out := nodes[:0]
	for _, n := range nodes {
		text := collapseSpace(n.Name)
		if n.Role == roleText && (text == name || value != "" && strings.Contains(value, text)) {
			continue
		}
		out = append(out, n)
	}
	return out
}

// withoutText drops the texts that a name says already, at any depth.
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
	return out
}

func onlyElements(nodes []*Node) []*Node {
	out := nodes[:0]
	for _, n := range nodes {
		if n.Acts || n.Role == "iframe" {
			out = append(out, n)
		}
	}
	return out
}

// Roles that say something even with no name, no text and no child.
var worthAlone = set("iframe separator progressbar meter video audio canvas object math")

// withoutEmpty drops elements that say nothing.
func withoutEmpty(nodes []*Node) []*Node {
	out := nodes[:0]
	for _, n := range nodes {
		empty := n.Name == "" && n.Value == "" && n.Note == "" && len(n.Children) == 0 && !n.Acts
		if empty && !worthAlone[n.Role] {
			continue
		}
		out = append(out, n)
	}
	return out
}
