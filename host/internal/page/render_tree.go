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
	folds bool // nodes that are not shown are counted; pages after the first do not do that
	lines []string
	cuts  int
	size  int // of the lines, in characters
	limit int // ends the writing; 0: none
}

// tree writes the nodes that are shown, and with folds how many below each are not. Without give, refs are only given
// their room.
func (p *printer) tree(shown []bool, folds bool, give func(*Node) int) (lines []string, cuts int) {
	w := &writing{printer: p, shown: shown, give: give, folds: folds}
	w.all()
	return w.lines, w.cuts
}

func (w *writing) all() {
	var rest fold
	for i := 0; i < len(w.nodes); i += w.nodes[i].below {
		w.node(w.nodes[i], 0, &rest)
	}
	if rest.count > 0 && w.folds {
		w.fill(w.reserve(), rest.line(0, where))
	}
}

// reserve makes room for a line, and fill writes it.
func (w *writing) reserve() int {
	w.lines = append(w.lines, "")
	return len(w.lines) - 1
}

func (w *writing) fill(at int, line string) {
	w.lines[at] = line
	w.size += length(line) + 1
}

// where says how to reach what an element without a ref does not show.
const where = "page 1"

// fold counts the children of an element that are not shown. Their descendants do not count.
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

// node writes a node, or, if it is not shown, what is shown below it, and counts the rest.
func (w *writing) node(n *Node, depth int, rest *fold) {
	if w.limit > 0 && w.size > w.limit {
		return
	}
	if !w.shown[w.at(n)] {
		if w.wanted[w.at(n)] {
			rest.add(n.Role)
			rest = &fold{} // its descendants are counted with it
		}
		for _, child := range n.Children {
			w.node(child, depth, rest)
		}
		return
	}
	at := w.reserve()
	ref := w.ref(n, n.Acts || w.leadsTo(n)) // before its descendants, so that numbers increase down the page
	var hidden fold
	for _, child := range n.Children {
		w.node(child, depth+1, &hidden)
	}
	folded := hidden.count > 0 && w.folds
	if ref == "" {
		ref = w.ref(n, folded)
	}
	w.fill(at, w.written(n, depth, ref))
	if folded {
		how := where
		if ref != "" {
			how = "scope" + ref
		}
		w.fill(w.reserve(), hidden.line(depth+1, how))
	}
}

// ref is the ref of a node that can be acted on, or that is not shown in full.
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
var bullets = map[Change]string{Same: "- ", New: "+ ", Changed: "* ", Moved: "~ "}

// foundBullet marks what a match has found.
const foundBullet = "* "

func (w *writing) written(n *Node, depth int, ref string) string {
	before, after, cut := w.line(n)
	if cut {
		w.cuts++
	}
	if w.again[n] {
		before += headMark
	}
	bullet := bullets[Same]
	switch {
	case w.found != nil && w.found[w.at(n)]:
		bullet = foundBullet
	case w.Change != nil:
		bullet = bullets[w.change[w.at(n)]]
	}
	return strings.Repeat("  ", depth) + bullet + before + ref + after
}
