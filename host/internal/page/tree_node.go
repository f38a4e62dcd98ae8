package page

import "strings"

// node makes the node for an element; nil: its children take its place.
func (b *builder) node(f Frame, n *axNode, role string, at *Node) *Node {
	clickable := b.layouts[f.ID] != nil && b.layouts[f.ID].clickable[n.Backend]
	out := &Node{Key: Key{f.ID, f.Document, n.Backend}, Role: role, Name: n.Name.text()}
	b.setInView(out)
	if role == roleText {
		return out
	}
	if n.Ignored {
		if !clickable || at.Acts || len(n.Children) == 0 {
			return nil
		}
		out.Role = "generic"
	}
	out.Focused = n.is("focused")
	out.Acts = n.Backend != 0 && (actionableRoles[out.Role] || role != "iframe" && (n.is("focusable") || clickable && !at.Acts)) && !b.inClosedList(n, role, at)
	if !out.Acts && (wrapperRoles[out.Role] || phraseRoles[out.Role]) && (out.Name == "" || phraseRoles[out.Role]) {
		return nil
	}
	out.Value, out.States = n.Value.text(), states(n, out)
	if role == "link" {
		out.URL = n.property("url")
	}
	return out
}

// inClosedList reports whether an option is in a closed list, which is operated through the list's own element.
func (b *builder) inClosedList(n *axNode, role string, at *Node) bool {
	return role == "option" && at.Role == "combobox" && b.layouts[at.Key.Frame] != nil && b.layouts[at.Key.Frame].boxes[n.Backend].height == 0
}

// setInView determines whether a node is in view.
func (b *builder) setInView(n *Node) {
	l, from := b.layouts[n.Key.Frame], b.tree.origins
	origin, ok := from[n.Key.Frame]
	if l == nil || !ok {
		return
	}
	box, ok := l.boxes[n.Key.Node]
	n.InView = ok && box.moved(origin.x, origin.y).intersects(b.viewport)
}

// flags are the states that are written when they hold.
var flags = []string{"disabled", "focused", "selected", "required", "readonly", "modal", "busy"}

func states(n *axNode, of *Node) []string {
	var out []string
	for _, name := range []string{"checked", "pressed"} {
		switch v := n.property(name); v {
		case "true":
			out = append(out, name)
		case "mixed":
			out = append(out, name+"=mixed")
		case "false":
			if of.Role == "checkbox" || of.Role == "radio" || of.Role == "switch" || of.Role == "togglebutton" {
				out = append(out, "not "+name)
			}
		}
	}
	switch n.property("expanded") {
	case "true":
		out = append(out, "expanded")
	case "false":
		out = append(out, "collapsed")
	}
	for _, name := range flags {
		if n.is(name) {
			out = append(out, name)
		}
	}
	if v := n.property("invalid"); v != "" && v != "false" {
		out = append(out, "invalid")
	}
	if level := n.property("level"); level != "" && (of.Role == "heading" || of.Role == "treeitem") {
		out = append(out, "level="+keepToken(level))
	}
	return out
}

// keepToken keeps only lower-case letters, digits and hyphens.
func keepToken(s string) string {
	return strings.Map(func(r rune) rune {
		if r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r == '-' {
			return r
		}
		return -1
	}, s)
}
