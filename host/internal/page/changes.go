package page

import (
	"hash/maphash"
	"strings"

	cdproto "github.com/chromedp/cdproto/cdp"
)

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

// URL is the top frame's.
func (t *Tree) URL() string {
	for _, f := range t.all {
		if f.Parent == "" {
			return f.URL
		}
	}
	return ""
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

// Marks are what a later reading is compared with: a mark of each node, by the document and the node.
type Marks map[Key]map[cdproto.BackendNodeID]mark

// mark is what is remembered of a node: a fingerprint of what it says, and its place in document order, from 1 on.
type mark struct {
	print uint64
	order int
}

var seed = maphash.MakeSeed()

// Marks takes the marks of a tree, once.
func (t *Tree) Marks() Marks {
	t.marking.Do(func() {
		t.marks = Marks{}
		var last Key
		var nodes map[cdproto.BackendNodeID]mark
		for i, n := range t.nodes {
			if document := n.Key.document(); nodes == nil || document != last {
				last, nodes = document, t.marks[document]
				if nodes == nil {
					nodes = make(map[cdproto.BackendNodeID]mark, len(t.nodes)-n.index)
					t.marks[document] = nodes
				}
			}
			m := nodes[n.Key.Node]
			m.print ^= n.fingerprint() // an element and its text may have the same key
			if m.order == 0 {
				m.order = i + 1
			}
			nodes[n.Key.Node] = m
		}
	})
	return t.marks
}

// document is the key of the document itself.
func (k Key) document() Key {
	k.Node = 0
	return k
}

// lookup returns a function that finds a mark, fast for nodes of one document after the other. The zero mark: there is
// none.
func (m Marks) lookup() func(Key) mark {
	var last Key
	var nodes map[cdproto.BackendNodeID]mark
	return func(k Key) mark {
		if document := k.document(); nodes == nil || document != last {
			last, nodes = document, m[document]
		}
		return nodes[k.Node]
	}
}

// Compare returns how each node of a tree has changed since the marks were taken.
func (t *Tree) Compare(m Marks) func(*Node) Change {
	return t.compare(m, func(before, now uint64) bool { return before == now })
}

// compare is Compare with a comparison of fingerprints. All nodes are compared when it is asked about the first.
func (t *Tree) compare(m Marks, same func(before, now uint64) bool) func(*Node) Change {
	var changes []Change
	return func(n *Node) Change {
		if changes == nil {
			changes = t.changes(m, same)
		}
		return changes[n.index]
	}
}

func (t *Tree) changes(m Marks, same func(before, now uint64) bool) []Change {
	changes, orders := make([]Change, len(t.nodes)), make([]int, len(t.nodes))
	then, now := m.lookup(), t.Marks().lookup()
	highest, inOrder := 0, true
	for i, n := range t.nodes {
		before, current := then(n.Key), now(n.Key)
		switch {
		case before == mark{}:
			changes[i] = New
			continue
		case !same(before.print, current.print):
			changes[i] = Changed
		}
		if current.order == i+1 { // else it shares its key, and with that its place
			orders[i] = before.order
			inOrder = inOrder && before.order > highest
			highest = max(highest, before.order)
		}
	}
	if !inOrder {
		t.markMoved(changes, orders)
	}
	return changes
}

// markMoved marks as moved what stands elsewhere among the others, with all that is in it: the fewest nodes without
// which the rest has kept its order. orders are the earlier places of the nodes; 0: none. What has changed as well
// stays marked as changed.
func (t *Tree) markMoved(changes []Change, orders []int) {
	kept := heaviestIncreasing(orders, func(i int) int { return t.nodes[i].below })
	moved := make([]bool, len(t.nodes))
	for i, n := range t.nodes {
		inMoved := n.Parent != nil && n.Parent != t.Root && moved[n.Parent.index]
		moved[i] = inMoved || orders[i] != 0 && !kept[i]
		if moved[i] && changes[i] == Same {
			changes[i] = Moved
		}
	}
}

// heaviestIncreasing finds the subsequence of increasing numbers with the largest total weight; zeros count as absent.
// It takes O(n log n): best, a Fenwick tree over the numbers, has the heaviest subsequence that ends at most there.
func heaviestIncreasing(numbers []int, weight func(i int) int) (kept []bool) {
	highest := 0
	for _, number := range numbers {
		highest = max(highest, number)
	}
	totals, before := make([]int, len(numbers)), make([]int, len(numbers))
	best := make([]int, highest+1) // indices of numbers, from 1 on
	heavier := func(a, b int) bool { return a != 0 && (b == 0 || totals[a-1] > totals[b-1]) }
	last := 0
	for i, number := range numbers {
		if number == 0 {
			continue
		}
		heaviest := 0
		for at := number - 1; at > 0; at -= at & -at {
			if heavier(best[at], heaviest) {
				heaviest = best[at]
			}
		}
		before[i], totals[i] = heaviest, weight(i)
		if heaviest != 0 {
			totals[i] += totals[heaviest-1]
		}
		for at := number; at <= highest; at += at & -at {
			if heavier(i+1, best[at]) {
				best[at] = i + 1
			}
		}
		if heavier(i+1, last) {
			last = i + 1
		}
	}
	kept = make([]bool, len(numbers))
	for ; last != 0; last = before[last-1] {
		kept[last-1] = true
	}
	return kept
}

// focusBit is the bit of a fingerprint that says whether the node has the focus.
const focusBit = 1

func (n *Node) fingerprint() uint64 {
	var h maphash.Hash
	h.SetSeed(seed)
	write := func(s string) {
		_, _ = h.WriteString(s)
		_ = h.WriteByte(0)
	}
	for _, s := range []string{n.Role, collapseSpace(n.Name), collapseSpace(n.Value), n.URL, n.Hint, n.Note, collapseSpace(n.Description)} {
		write(s)
	}
	focus := uint64(0)
	for _, s := range n.States {
		if s == "focused" {
			focus = focusBit
			continue
		}
		write(s)
	}
	return h.Sum64()&^focusBit | focus
}
