package page

import (
	"fmt"
	"strings"
	"testing"

	cdproto "github.com/chromedp/cdproto/cdp"
	"pgregory.net/rapid"
)

// treeOf makes a numbered tree of a root's children.
func treeOf(children ...*Node) *Tree {
	t := &Tree{Root: &Node{Role: "document", Children: children}, sessions: map[cdproto.FrameID]string{"F": "S"}, frames: map[cdproto.FrameID]cdproto.LoaderID{"F": "D"}}
	next := cdproto.BackendNodeID(0)
	var hang func(*Node)
	hang = func(n *Node) {
		for _, child := range n.Children {
			next++
			child.Parent, child.Key = n, Key{"F", "D", next}
			hang(child)
		}
	}
	hang(t.Root)
	t.number()
	return t
}

// viewOf is a view whose refs come from a new table.
func viewOf(t *Tree, budget, page int) (View, *Refs) {
	refs := NewRefs()
	t.Reading = refs.Begin()
	refs.Note("T", t)
	return View{Budget: budget, Page: page, Give: func(n *Node) int { return refs.Give("T", t, n) }, Next: refs.Next()}, refs
}

func orders(n int) *Node {
	list := &Node{Role: "list", Name: "Orders"}
	for i := range n {
		list.Children = append(list.Children, &Node{Role: "listitem", Children: []*Node{
			{Role: "button", Name: fmt.Sprintf("Order number %d", i), Acts: true, InView: i < 20}, {Role: roleText, Name: "costs much", InView: i < 20},
		}})
	}
	return list
}

func TestEachOfManyElementsIsOnAPage(t *testing.T) {
	tree := treeOf(orders(1000))
	found := map[string]bool{}
	pages := 1
	for n := 0; n < pages; n++ {
		v, _ := viewOf(tree, 8000, n)
		w, err := tree.Write(v)
		if err != nil {
			t.Fatal(err)
		}
		pages = w.Pages
		for i := range 1000 {
			if strings.Contains(w.Text, fmt.Sprintf("button \"Order number %d\" @e", i)) {
				found[fmt.Sprint(i)] = true
			}
		}
	}
	if len(found) != 1000 {
		t.Errorf("%d of 1000 are on %d pages", len(found), pages)
	}
}

func TestAFoldCountsTheItemsThatItStandsFor(t *testing.T) {
	tree := treeOf(orders(500))
	v, _ := viewOf(tree, 8000, 0)
	w, err := tree.Write(v)
	if err != nil {
		t.Fatal(err)
	}
	items := 0
	for line := range strings.Lines(w.Text) {
		if strings.HasPrefix(line, "  - listitem") {
			items++
		}
	}
	if want := fmt.Sprintf("  - … %d more listitem", 500-items); items == 0 || !strings.Contains(w.Text, want) {
		t.Errorf("%d of 500 items are shown, and the fold is not %q:\n%s", items, want, w.Text)
	}
}

// In a comparison, unchanged items around the changes are not counted by the fold.
func TestAFoldOfChangesCountsTheChanges(t *testing.T) {
	tree := treeOf(orders(500))
	v, _ := viewOf(tree, 2000, 0)
	v.Change = func(n *Node) Change {
		if n.Role == "button" {
			return New
		}
		return Same
	}
	w, err := tree.Write(v)
	if err != nil {
		t.Fatal(err)
	}
	shown := strings.Count(w.Text, "+ button")
	if want := fmt.Sprintf("  - … %d more button", 500-shown); shown == 0 || !strings.Contains(w.Text, want) {
		t.Errorf("%d of 500 buttons are shown, and the fold is not %q:\n%s", shown, want, w.Text)
	}
}

// randomTree draws a random tree of elements that resembles a page's.
func randomTree(t *rapid.T) *Tree {
	count := rapid.IntRange(0, 200).Draw(t, "nodes")
	root := &Node{Role: "document"}
	parents := []*Node{root}
	roles := []string{"button", "link", "listitem", roleText, "heading", "list", "paragraph", "dialog", "iframe"}
	for i := range count {
		role := rapid.SampledFrom(roles).Draw(t, "role")
		n := &Node{
			Role: role, Name: fmt.Sprintf("n%d.", i) + strings.Repeat("x", rapid.IntRange(0, 150).Draw(t, "length")),
			Acts: role == "button" || role == "link", InView: rapid.Bool().Draw(t, "in view"), Focused: i == 7,
		}
		at := parents[rapid.IntRange(max(0, len(parents)-12), len(parents)-1).Draw(t, "parent")]
		at.Children, n.Parent = append(at.Children, n), at
		if role != roleText && depthOf(at) < maxDepth {
			parents = append(parents, n)
		}
	}
	return treeOf(root.Children...)
}

func depthOf(n *Node) int {
	depth := 0
	for ; n.Parent != nil; n = n.Parent {
		depth++
	}
	return depth
}

// randomChanges draws how nodes have changed, and counts those that have; nil: they are not compared.
func randomChanges(t *rapid.T, tree *Tree) (change func(*Node) Change, wanted int) {
	if !rapid.Bool().Draw(t, "compared") {
		return nil, len(tree.nodes)
	}
	changes := rapid.SliceOfN(rapid.SampledFrom([]Change{Same, Same, New, Changed, Moved}), len(tree.nodes), len(tree.nodes)).Draw(t, "changes")
	for _, c := range changes {
		if c != Same {
			wanted++
		}
	}
	return func(n *Node) Change { return changes[n.index] }, wanted
}

func TestNoPageIsOverTheBudgetAndEachElementIsOnOne(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		tree := randomTree(t)
		budget := rapid.IntRange(1000, 6000).Draw(t, "budget")
		full := rapid.Bool().Draw(t, "full")
		note := strings.Repeat("y", rapid.IntRange(0, 250).Draw(t, "note"))
		changes, wanted := randomChanges(t, tree)
		found := map[string]int{}
		pages := 1
		for n := 0; n < pages; n++ {
			v, _ := viewOf(tree, budget, n)
			v.Full, v.Notes, v.Change = full, []string{note}, changes
			w, err := tree.Write(v)
			if err != nil {
				t.Fatal(err)
			}
			if size := length(w.Text); size > budget {
				t.Fatalf("page %d of %d has %d characters, the budget is %d:\n%s", n, w.Pages, size, budget, w.Text)
			}
			if n > 0 && w.Pages != pages {
				t.Fatalf("page %d is one of %d, the one before of %d", n, w.Pages, pages)
			}
			pages = w.Pages
			for line := range strings.Lines(w.Text) {
				_, rest, ok := strings.Cut(line, `"n`)
				if ok && (changes == nil || !strings.HasPrefix(strings.TrimLeft(line, " "), "- ")) {
					number, _, _ := strings.Cut(rest, ".")
					found[number]++
				}
			}
		}
		if len(found) != wanted {
			t.Fatalf("%d of %d elements are on the %d pages", len(found), wanted, pages)
		}
	})
}
