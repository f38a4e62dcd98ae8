package page

import "strings"

// node makes the node for an element; nil: its children take its place.
func (b *builder) node(f Frame, n *element, at *Node) *Node {
	out := &Node{Key: Key{f.ID, f.Document, n.id}, Role: n.role, Name: n.name, box: n.box}
	b.setInView(out)
	if n.role == roleText {
		return out
	}
	if isBlank(out.Name) { // as the glyph of an icon
		out.Name = ""
	}
	if n.ignored {
		if !n.clickable || n.below == 1 {
			return nil
		}
		out.Role = "generic"
	}
	out.Focused, out.handles, out.handle = n.focused, n.clickable, n.handle
	out.listens = n.clickable && !n.focusable && !actionableRoles[out.Role]
	out.Acts = n.id != 0 && (actionableRoles[out.Role] || n.role != "iframe" && (n.focusable || n.clickable) || isServed(out.Role, at)) && !inClosedList(n, at)
	if !out.Acts && (wrapperRoles[out.Role] || phraseRoles[out.Role]) && (out.Name == "" || phraseRoles[out.Role]) {
		return nil
	}
	out.Value, out.States, out.URL = n.value, n.states, n.url
	if last := len(n.states) - 1; last >= 0 && strings.HasPrefix(n.states[last], hintMark) {
		out.States, out.Hint = n.states[:last], n.states[last][len(hintMark):]
	}
	if (out.Acts || describedRoles[out.Role]) && collapseSpace(n.description) != collapseSpace(n.name) {
		out.Description = n.description
	}
	return out
}

// hintMark begins the last of the states that the walker lists, if it has a hint.
const hintMark = "hint="

// isServed reports whether an item or a cell is in a list or a table that listens, as pages do which listen in one
// place for all that is below it.
func isServed(role string, at *Node) bool {
	switch {
	case role == "listitem":
		return at.Role == "list" && at.handles
	case cellNames[role]:
		for ; at != nil && rowsAround[at.Role]; at = at.Parent {
			if at.handles {
				return true
			}
		}
	}
	return false
}

// rowsAround are the roles of what is around the cells of a table.
var rowsAround = set("row rowgroup table grid treegrid")

// describedRoles are the roles that nothing is done with, of which a description is shown all the same.
var describedRoles = set("dialog alertdialog group radiogroup image figure")

// inClosedList reports whether an option is in a closed list, which is operated through the list's own element.
func inClosedList(n *element, at *Node) bool {
	if at.Role == "group" && at.Parent != nil {
		at = at.Parent
	}
	return n.role == "option" && at.Role == "combobox" && n.box.height == 0
}

// setInView determines whether a node is in view.
func (b *builder) setInView(n *Node) {
	if origin, ok := b.tree.origins[n.Key.Frame]; ok {
		n.InView = n.box.rect().Moved(origin.X, origin.Y).Intersects(b.viewport)
	}
}

// editableRoles are the roles that do not say that text can be typed into their elements.
var editableRoles = set("generic paragraph heading listitem cell gridcell group region article blockquote code")

// flags are the states that are written when they hold.
var flags = []string{"disabled", "focused", "selected", "required", "readonly", "modal", "busy"}

// states are the states of a node, as they are written.
func states(n *axNode, role string) []string {
	var out []string
	for _, name := range []string{"checked", "pressed"} {
		switch v := n.property(name); v {
		case "true":
			out = append(out, name)
		case "mixed":
			out = append(out, name+"=mixed")
		case "false":
			if role == "checkbox" || role == "radio" || role == "switch" || role == "togglebutton" {
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
	if n.property("editable") != "" && n.is("focusable") && editableRoles[role] {
		out = append(out, "editable")
	}
	if v := n.property("invalid"); v != "" && v != "false" {
		out = append(out, "invalid")
	}
	if level := n.property("level"); level != "" && (role == "heading" || role == "treeitem") {
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
