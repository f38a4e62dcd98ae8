package page

import "strings"

// Changes are the lines of what has changed on a page, and how many nodes they leave out.
type Changes struct {
	Text    string
	Changed int
	Left    int
}

// WriteChanges writes what a view wants of a tree, usually what has changed, in at most the view's budget: what the
// page announces first, then as [Tree.Write] has it. There is one page only.
func (t *Tree) WriteChanges(v View) Changes {
	v.Notes, v.Page, v.Match = nil, 0, nil
	p := t.printer(v)
	p.room = v.Budget
	shown := p.first()
	lines, _ := p.tree(shown, false, v.Give)
	c := Changes{Text: strings.Join(lines, "\n")}
	for i, wanted := range p.wanted {
		if wanted {
			c.Changed++
			if !shown[i] {
				c.Left++
			}
		}
	}
	return c
}

// CompareCalmly is [Tree.Compare], except that an element that has only got or lost the focus is the same.
func (t *Tree) CompareCalmly(m Marks) func(*Node) Change {
	return t.compare(m, func(before, now uint64) bool { return before|focusBit == now|focusBit })
}

// Focused is the node that has the focus; nil: none has.
func (t *Tree) Focused() *Node {
	for _, n := range t.nodes {
		if n.Focused {
			return n
		}
	}
	return nil
}

// HasFocus reports whether a node has the focus.
func (t *Tree) HasFocus(key Key) bool {
	n := t.Focused()
	return n != nil && n.Key == key
}

// ShowsDocumentOf reports whether the top frame of two trees shows the same document.
func (t *Tree) ShowsDocumentOf(other *Tree) bool {
	return t.Root.Key.Frame == other.Root.Key.Frame && t.Root.Key.Document == other.Root.Key.Document
}
