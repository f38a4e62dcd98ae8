package page

import (
	"fmt"
	"math"
	"strings"
)

// View says what of a tree is written.
type View struct {
	Full   bool
	Budget int // characters
	Page   int
	Scope  *Node // nil: all
	// Change returns how a node has changed since an earlier reading; nil: all nodes are wanted.
	Change func(*Node) Change
	// Match says what to look for, which is written in document order; nil: everything is wanted.
	Match *Match
	// Notes are lines to write below the tree.
	Notes []string
	// Give returns the ref of a node, 0 if it can have none. Next is the number that the next new ref would get.
	Give func(*Node) int
	Next int
}

// Change is how a node compares to an earlier reading.
type Change int

// The results of a comparison.
const (
	Same Change = iota
	New
	Changed
	Moved // it says the same, elsewhere among the others
)

// Written is a page of text.
type Written struct {
	Text    string
	Pages   int
	Acting  int // how many of the wanted nodes can be acted on
	Wanted  int
	Found   int // how many the match has found
	Omitted []string
}

// PageError says that there is no such page.
type PageError struct{ Page, Pages int }

// Error says which pages there are.
func (e *PageError) Error() string {
	return fmt.Sprintf("page %d does not exist: the pages are 0 to %d", e.Page, e.Pages-1)
}

// footRoom is kept for the sentences about what was left out.
const footRoom = 330

// refWidth is the room for a ref. It does not grow with each reading, because then no two readings would be divided
// into the same pages.
const refWidth = len(" @e99999")

// printer writes a part of a tree.
type printer struct {
	shape
	View
	nodes  []*Node         // of the part, in document order
	change []Change        // of each node; nil: they are not compared
	wanted []bool          // the others are only written as context
	found  []bool          // by the match; nil: there is none
	costs  []int           // as far as they were asked for; 0: not yet
	order  []*Node         // by rank
	room   int             // for the tree
	width  int             // of a ref
	heads  map[*Node]*Node // the row with the headings of each table that was asked for
	again  map[*Node]bool  // those that an earlier page has
}

// Write writes a page of a tree. It is never longer than the budget.
func (t *Tree) Write(v View) (Written, error) {
	p := t.printer(v)
	shown, pages, err := p.pick(t)
	if err != nil {
		return Written{}, err
	}
	w := Written{Pages: pages}
	left := 0
	for i, n := range p.nodes {
		if p.wanted[i] {
			w.Wanted++
			if n.Acts {
				w.Acting++
			}
			if !shown[i] {
				left++
			}
		}
	}
	for _, found := range p.found {
		if found {
			w.Found++
		}
	}
	text, cuts := p.tree(shown, !p.inOrder() && p.Page == 0, v.Give)
	w.Omitted = p.omitted(left, pages, cuts, t.LeftOut)
	lines := text
	for _, note := range append(v.Notes, w.Omitted...) {
		lines = append(lines, "("+note+")")
	}
	w.Text = strings.Join(lines, "\n")
	return w, nil
}

func (t *Tree) printer(v View) *printer {
	p := &printer{View: v, nodes: t.nodes, heads: map[*Node]*Node{}}
	if v.Scope != nil && v.Scope != t.Root {
		p.nodes = t.nodes[v.Scope.index : v.Scope.index+v.Scope.below]
	}
	p.room = v.Budget - footRoom
	for _, note := range v.Notes {
		p.room -= length(note) + 3
	}
	p.shape = shape{capsFor(v.Full, p.room), v.Full}
	p.width = max(refWidth, length(refText(v.Next+len(p.nodes))))
	p.wanted, p.costs = make([]bool, len(p.nodes)), make([]int, len(p.nodes))
	if v.Change != nil {
		p.change = make([]Change, len(p.nodes))
	}
	for i, n := range p.nodes {
		if v.Change != nil {
			p.change[i] = v.Change(n)
		}
		p.wanted[i] = v.Change == nil || p.change[i] != Same
	}
	if v.Match != nil {
		p.search()
	}
	return p
}

func (p *printer) at(n *Node) int { return n.index - p.nodes[0].index }

func (p *printer) has(n *Node) bool {
	return n.Parent != nil && len(p.nodes) > 0 && n.index >= p.nodes[0].index && n.index < p.nodes[0].index+len(p.nodes)
}

// cost is the maximum length of a node's line, in characters.
func (p *printer) cost(n *Node) int {
	cost := &p.costs[p.at(n)]
	if *cost == 0 {
		before, after, _ := p.line(n)
		*cost = length(before) + length(after) + 3
		if n.Acts || p.leadsTo(n) {
			*cost += p.width
		}
	}
	return *cost + 2*(n.depth-p.nodes[0].depth)
}

// inOrder reports whether the pages follow the document instead of showing first what matters most.
func (p *printer) inOrder() bool { return p.Full || p.Match != nil }

// pick chooses what the page shows.
func (p *printer) pick(t *Tree) (shown []bool, pages int, err error) {
	sheets := t.divided.of(p)
	if p.Page < 0 || p.Page >= len(sheets) {
		return nil, 0, &PageError{p.Page, len(sheets)}
	}
	p.noteRepeated(sheets)
	shown = make([]bool, len(p.nodes))
	for _, at := range sheets[p.Page] {
		shown[at] = true
	}
	return shown, len(sheets), nil
}

// divide divides what is wanted into pages. Page 0 has what matters most; the others have the rest in document order.
func (p *printer) divide() []sheet {
	if !p.inOrder() {
		first := p.first()
		return append([]sheet{sheetOf(first)}, p.paginate(first)...)
	}
	if sheets := p.paginate(nil); len(sheets) > 0 {
		return sheets
	}
	return []sheet{nil}
}

// first finds how much can be shown together with the lines that count what is not shown.
func (p *printer) first() []bool {
	p.order = rank(p.nodes, p.Change != nil)
	all := p.choose(math.MaxInt)
	if p.fits(all) {
		return all
	}
	low, high := 0, p.room
	best := make([]bool, len(p.nodes))
	for range 9 {
		limit := (low + high + 1) / 2
		if shown := p.choose(limit); p.fits(shown) {
			low, best = limit, shown
		} else {
			high = limit
		}
	}
	return best
}

func (p *printer) fits(shown []bool) bool {
	w := &writing{printer: p, shown: shown, folds: true, limit: p.room}
	w.all()
	return w.size <= p.room
}

// omitted says what the page leaves out, and how to get it.
func (p *printer) omitted(left, pages, cuts, beyond int) []string {
	var out []string
	switch {
	case pages > 1 && p.Page == 0 && !p.inOrder():
		out = append(out, fmt.Sprintf("%d more elements and texts: page 1 to %d have them in the order of the document; scope with a ref reads one part; full has more room", left, pages-1))
	case pages > 1:
		out = append(out, fmt.Sprintf("this is page %d; the pages are 0 to %d", p.Page, pages-1))
	}
	if cuts > 0 && !p.Full {
		out = append(out, fmt.Sprintf("%d texts are shortened, where … stands: full has more of them", cuts))
	} else if cuts > 0 {
		out = append(out, fmt.Sprintf("%d texts are shortened, where … stands", cuts))
	}
	if beyond > 0 {
		out = append(out, fmt.Sprintf("the page has more than the %d elements and texts that are read", maxNodes))
	}
	return out
}
