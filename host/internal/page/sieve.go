package page

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/hermes-cdp/hermes-cdp/internal/pagetext"
)

// maxNote is how much of a note is shown, in bytes.
const maxNote = 200

// Sieve edits what readings show, before anybody gets them: plugins do.
type Sieve interface {
	// Version tells who edits: a tree that another version has edited is not shown again. Empty: nobody does.
	Version() string
	// Edit edits a tree by its Nodes. After a failure, it is asked again for the next reading.
	Edit(ctx context.Context, tab string, t *Tree) (failed bool)
}

// sieved edits a new tree.
func (r *Refs) sieved(d Reader, t *Tree) {
	if r.Sieve == nil {
		return
	}
	if t.sieve = r.Sieve.Version(); t.sieve != "" {
		t.unsieved = r.Sieve.Edit(d.Context(), d.Target(), t)
		t.settle()
	}
}

// Current reports whether a tree would be edited now as it was.
func (r *Refs) Current(t *Tree) bool {
	return r.Sieve == nil || !t.unsieved && t.sieve == r.Sieve.Version()
}

// Nodes lists the nodes in document order.
func (t *Tree) Nodes() []*Node { return t.nodes }

// Depth is how many nodes a node is in.
func (n *Node) Depth() int { return n.depth }

// OriginOf is the origin of a node's document, if that is not its parent's; else it is empty.
func (t *Tree) OriginOf(n *Node) string {
	if n.Parent == nil || n.Parent.Key.Frame == n.Key.Frame {
		return ""
	}
	return t.origin(n)
}

// Origin is that of the top frame's document.
func (t *Tree) Origin() string { return t.origin(t.Root) }

func (t *Tree) origin(n *Node) string {
	for _, f := range t.all {
		if f.ID == n.Key.Frame {
			return f.Origin
		}
	}
	return ""
}

// Mask replaces what a node says.
func (n *Node) Mask(name, value, description string) {
	n.Name, n.Value, n.Description, n.URL, n.Hint, n.masked = name, value, description, "", "", true
}

// Annotate adds a note to a node.
func (n *Node) Annotate(note string) {
	n.Note = strings.TrimPrefix(n.Note+"; note: "+pagetext.Shorten(pagetext.Line(note), maxNote), "; ")
}

// Drop leaves out a node with its subtree, once the tree has been edited.
func (n *Node) Drop() { n.dropped = true }

// IsDropped reports whether Drop was called.
func (n *Node) IsDropped() bool { return n.dropped }

// Withhold says that nodes were left out, and why.
func (t *Tree) Withhold(nodes int, why string) {
	what := fmt.Sprintf("%d elements and texts", nodes)
	if nodes == 1 {
		what = "1 element or text"
	}
	t.Withheld = append(t.Withheld, "withheld: "+what+", "+why)
}

// settle leaves out what was dropped, and elements that say nothing without it.
func (t *Tree) settle() {
	for n := t.Below; n != nil; n = n.Parent {
		if n.dropped {
			t.Below = nil
			break
		}
	}
	t.Root.settle()
	t.number()
	t.climb()
}

func (n *Node) settle() {
	n.Children = slices.DeleteFunc(n.Children, func(child *Node) bool {
		if child.dropped {
			return true
		}
		before := len(child.Children)
		child.settle()
		says := cmp.Or(child.Name, child.Value, child.Description, child.Note) != "" || len(child.Children) > 0 || child.Acts || worthAlone[child.Role]
		return before > 0 && !says
	})
}
