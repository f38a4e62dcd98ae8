package page

import (
	"fmt"
	"strings"
)

// writing writes the lines of the nodes that are shown.
type writing struct {
	*printer
	shown []bool
	give  func(*Node) int
	folds bool // what is not shown is counted; pages beyond the first have only what is left
	lines []string
	cuts  int
}

// tree writes the nodes that are shown, and with folds how many below each are not. Without give, refs only take their room.
func (p *printer) tree(shown []bool, folds bool, give func(*Node) int) (lines []string, cuts int) {
	w := &writing{printer: p, shown: shown, give: give, folds: folds}
	if len(p.nodes) == 0 {
		return nil, 0
	}
	var rest fold
	for i := 0; i < len(p.nodes); i += p.nodes[i].below {
		w.node(p.nodes[i], 0, &rest)
	}
	if rest.count > 0 && folds {
		w.lines = append(w.lines, rest.line(0, where))
	}
	return w.lines, w.cuts
}

// where tells how to reach what an element that has no ref does not show.
const where = "page 1"

// fold is what is not shown of an element's children. What is below those is not counted: it comes and goes with them.
type fold struct {
	count int
	role  string
	mixed bool
}

func (f *fold) add(role string) {
	f.count++
	switch {
	case f.role == "":
		f.role = role
	case f.role != role:
		f.mixed = true
	}
}

func (f *fold) line(depth int, how string) string {
	what := ""
	if !f.mixed && f.role != "" {
		what = " " + roleWord(f.role)
	}
	return strings.Repeat("  ", depth) + fmt.Sprintf("- … %d more%s (%s)", f.count, what, how)
}

// node writes a node, or, where it is not shown, what is shown below it, and counts the rest.
func (w *writing) node(n *Node, depth int, rest *fold) {
	if !w.shown[w.at(n)] {
		if w.wanted[w.at(n)] {
			rest.add(n.Role)
			rest = &fold{} // what is below counts with it
		}
		for _, child := range n.Children {
			w.node(child, depth, rest)
		}
		return
	}
	at := len(w.lines)
	w.lines = append(w.lines, "")
	ref := w.ref(n, n.Acts) // before those below it, so that the numbers go down the page
	var hidden fold
	for _, child := range n.Children {
		w.node(child, depth+1, &hidden)
	}
	folded := hidden.count > 0 && w.folds
	if ref == "" {
		ref = w.ref(n, folded)
	}
	w.lines[at] = w.written(n, depth, ref)
	if folded {
		how := where
		if ref != "" {
			how = "scope" + ref
		}
		w.lines = append(w.lines, hidden.line(depth+1, how))
	}
}

// ref is that of what can be acted on, and of what is not shown whole.
func (w *writing) ref(n *Node, wanted bool) string {
	if !wanted || n.Key.Node == 0 || n.Role == roleText {
		return ""
	}
	if w.give == nil {
		return strings.Repeat(" ", w.width)
	}
	if number := w.give(n); number != 0 {
		return refText(number)
	}
	return ""
}

// bullets say how a node has changed.
var bullets = map[Change]string{Same: "- ", New: "+ ", Changed: "* "}

func (w *writing) written(n *Node, depth int, ref string) string {
	before, after, cut := w.line(n)
	if cut {
		w.cuts++
	}
	bullet := bullets[Same]
	if w.Change != nil {
		bullet = bullets[w.Change(n)]
	}
	return strings.Repeat("  ", depth) + bullet + before + ref + after
}
