package page

import "slices"

// The ranks of elements, the most important first: what does not fit into a budget is left out from the end.
const (
	rankUrgent      = iota // what has the focus, and what can be acted on in an open dialog
	rankActsInView         // what can be acted on in view
	rankMarksInView        // headings and messages in view
	rankActsAgain          // what can be acted on in view, but is one of many similar elements
	rankActs               // what can be acted on elsewhere
	rankTextInView
	rankActsMany // what can be acted on elsewhere and is one of many similar elements, and headings elsewhere
	rankRest
	ranks
)

const (
	// manyAlike is the length from which a run of siblings of one role is long: only its first few rank as high as others.
	manyAlike = 12
	// firstAlike is how many those are.
	firstAlike = 8
)

var (
	marks   = set("heading alert status log banner navigation main search form dialog alertdialog")
	dialogs = set("dialog alertdialog")
)

// announced are the roles of what a page says of its own accord.
var announced = set("alert alertdialog status")

// rank orders the nodes of a part of the tree by importance. Among changes, what the page announces comes first.
func rank(nodes []*Node, changes bool) []*Node {
	if len(nodes) == 0 {
		return nil
	}
	first := nodes[0].index
	again := repeated(nodes)
	var classes [ranks][]*Node
	urgent, said := make([]bool, len(nodes)), make([]bool, len(nodes))
	for i, n := range nodes {
		above := func(is []bool) bool {
			at := -1
			if n.Parent != nil {
				at = n.Parent.index - first
			}
			return at >= 0 && at < i && nodes[at] == n.Parent && is[at]
		}
		urgent[i] = dialogs[n.Role] || above(urgent)
		said[i] = changes && announced[n.Role] || above(said)
		class := classOf(n, again[i], urgent[i])
		if said[i] {
			class = rankUrgent
		}
		classes[class] = append(classes[class], n)
	}
	return slices.Concat(classes[:]...)
}

func classOf(n *Node, again, urgent bool) int {
	switch {
	case n.Focused || urgent && n.InView && (n.Acts || marks[n.Role]):
		return rankUrgent
	case n.Acts && n.InView && !again:
		return rankActsInView
	case marks[n.Role] && n.InView && !again || n.Note != "":
		return rankMarksInView
	case n.Acts && n.InView:
		return rankActsAgain
	case n.Acts && !again:
		return rankActs
	case n.InView && !again:
		return rankTextInView
	case n.Acts || n.Role == "heading":
		return rankActsMany
	}
	return rankRest
}

// repeated marks the nodes in long runs of siblings of one role, except in the first few siblings of each.
func repeated(nodes []*Node) []bool {
	again := make([]bool, len(nodes))
	first := nodes[0].index
	inside := func(n *Node) bool { return n.index >= first && n.index < first+len(nodes) }
	mark := func(siblings []*Node) {
		for from := 0; from < len(siblings); {
			to := from + 1
			for to < len(siblings) && siblings[to].Role == siblings[from].Role {
				to++
			}
			if to-from >= manyAlike {
				for _, n := range siblings[from+firstAlike : to] {
					for i := n.index; i < n.index+n.below && inside(n); i++ {
						again[i-first] = true
					}
				}
			}
			from = to
		}
	}
	for _, n := range nodes {
		mark(n.Children)
	}
	if top := nodes[0].Parent; top != nil && top.Parent == nil {
		mark(slices.DeleteFunc(slices.Clone(top.Children), func(n *Node) bool { return !inside(n) }))
	}
	return again
}

// choose picks nodes by rank, each with its ancestors, until the limit is used up.
func (p *printer) choose(limit int) []bool {
	shown := make([]bool, len(p.nodes))
	spent := 0
	for _, n := range p.order {
		if shown[p.at(n)] || !p.wanted[p.at(n)] {
			continue
		}
		path := p.path(n, shown)
		cost := p.costOf(path)
		if cost > limit-spent {
			break
		}
		spent += cost
		for _, m := range path {
			shown[p.at(m)] = true
		}
	}
	return shown
}

// path is a node and its ancestors, the nearest first, as far as they are not shown yet. Outer ones are left out if
// they would take most of a page. If one of these has moved, the path also has what says where it is now.
func (p *printer) path(n *Node, shown []bool) []*Node {
	path := []*Node{n}
	cost := 0
	for m := n.Parent; m != nil && p.has(m) && !shown[p.at(m)]; m = m.Parent {
		if cost += p.cost(m); cost > p.room/2 {
			break
		}
		path = append(path, m)
	}
	if p.change == nil {
		return path
	}
	for _, m := range path {
		if by := p.beside(m); by != nil && !shown[p.at(by)] && !slices.Contains(path, by) {
			path = append(path, p.nodes[p.at(by):p.at(by)+p.told(by)]...)
		}
	}
	return path
}

// maxTold is how many nodes tell which one a neighbour is that has no name.
const maxTold = 4

// told is how many nodes, from one on, tell which one it is: a row is told by its first cells.
func (p *printer) told(n *Node) int {
	if n.Name != "" {
		return 1
	}
	return min(n.below, maxTold)
}

// beside is the sibling before a node that has moved, or else the one after it; nil: there is none, or its parent has
// moved with it.
func (p *printer) beside(n *Node) *Node {
	if p.change == nil || p.change[p.at(n)] != Moved || p.has(n.Parent) && p.change[p.at(n.Parent)] == Moved {
		return nil
	}
	i := p.at(n)
	if i > 0 && p.nodes[i-1] != n.Parent {
		before := p.nodes[i-1]
		for before.Parent != n.Parent && p.has(before.Parent) {
			before = before.Parent
		}
		if before.Parent == n.Parent {
			return before
		}
	}
	if after := i + n.below; after < len(p.nodes) && p.nodes[after].Parent == n.Parent {
		return p.nodes[after]
	}
	return nil
}

func (p *printer) costOf(nodes []*Node) int {
	cost := 0
	for _, n := range nodes {
		cost += p.cost(n)
	}
	return cost
}

// paginate divides what is wanted and not shown yet into pages, in document order. Each page repeats the ancestors of
// its elements, and the headings of a table that it continues.
func (p *printer) paginate(before []bool) []sheet {
	var sheets []sheet
	var shown []bool // on the last of them
	spent := 0
	for i, n := range p.nodes {
		if before != nil && before[i] || !p.wanted[i] {
			continue
		}
		for range 2 {
			if shown == nil {
				shown, spent = make([]bool, len(p.nodes)), 0
			}
			path := p.path(n, shown)
			cost := p.costOf(path)
			if head := p.headings(n, shown); head != nil {
				path = append(path, head...)
				cost += p.costOf(head) + length(headMark)
			}
			if spent+cost > p.room && spent > 0 {
				sheets, shown = append(sheets, sheetOf(shown)), nil
				continue
			}
			spent += cost
			for _, m := range path {
				shown[p.at(m)] = true
			}
			break
		}
	}
	if shown != nil {
		sheets = append(sheets, sheetOf(shown))
	}
	return sheets
}
