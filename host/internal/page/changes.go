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

// manyBack is how many nodes must be back for a comparison with earlier readings: fewer are worth showing again.
const manyBack = 20

// CompareCalmly is [Tree.Compare] with the marks of the last reading, except that an element that has only got or lost
// the focus is the same. Pages hide all that is theirs from readings while a menu is open; so if many nodes are back
// that the last reading left out, they are compared with the latest of the earlier readings that had them. It also
// returns how many of those are as they were.
func (t *Tree) CompareCalmly(last Marks, earlier []Marks) (change func(*Node) Change, back int) {
	calmly := func(before, now uint64) bool { return before|focusBit == now|focusBit }
	fromLast := t.compare(last, calmly)
	comparisons := make([]func(*Node) Change, len(earlier))
	for i, m := range earlier {
		comparisons[i] = t.compare(m, calmly)
	}
	since := map[*Node]Change{}
	for _, n := range t.nodes {
		if fromLast(n) != New {
			continue
		}
		for _, compare := range comparisons {
			if c := compare(n); c != New {
				since[n] = c
				if c == Same {
					back++
				}
				break
			}
		}
	}
	if back < manyBack {
		return fromLast, 0
	}
	return func(n *Node) Change {
		if c, ok := since[n]; ok {
			return c
		}
		return fromLast(n)
	}, back
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
