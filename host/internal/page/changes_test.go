package page

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	cdproto "github.com/chromedp/cdproto/cdp"
	"pgregory.net/rapid"
)

// board is a list of cards below a heading for each string, in which each letter is a card. Their keys are those of
// their names, so that the trees of two boards are of one document.
func board(columns ...string) *Tree {
	tree := treeOf()
	add := func(at *Node, role, name string) *Node {
		n := &Node{Role: role, Name: name, Acts: true, InView: true, Parent: at, Key: Key{"F", "D", 0}}
		for _, letter := range role + name {
			n.Key.Node = 131*n.Key.Node + cdproto.BackendNodeID(letter)
		}
		at.Children = append(at.Children, n)
		return n
	}
	for i, cards := range columns {
		add(tree.Root, "heading", fmt.Sprint(i))
		list := add(tree.Root, "list", fmt.Sprint(i))
		for _, letter := range cards {
			add(add(list, "listitem", string(letter)), "button", "Open "+string(letter))
		}
	}
	tree.number()
	return tree
}

func TestWhatHasMovedIsWrittenBesideItsNeighbour(t *testing.T) {
	for _, c := range []struct {
		what, before, after, want string
	}{
		{"to the end", "abcd", "bcda", `- list "0"; - listitem "d"; ~ listitem "a"; ~ button "Open a"`},
		{"to the beginning", "abcd", "dabc", `- list "0"; ~ listitem "d"; ~ button "Open d"; - listitem "a"`},
		{"two at once", "abcdef", "badcef", `- list "0"; - listitem "b"; ~ listitem "a"; ~ button "Open a"; - listitem "d"; ~ listitem "c"; ~ button "Open c"`},
		{"into another list", "abc de", "ac dbe", `- list "1"; - listitem "d"; ~ listitem "b"; ~ button "Open b"`},
		{"into the next list", "abc de", "ab cde", `- list "1"; ~ listitem "c"; ~ button "Open c"; - listitem "d"`},
		{"into an empty list", "abc ", "ab c", `- list "1"; ~ listitem "c"; ~ button "Open c"`},
		{"nowhere, as another comes", "abc", "axbc", `- list "0"; + listitem "x"; + button "Open x"`},
		{"nowhere, as another goes", "abc", "ac", ``},
	} {
		before, after := board(strings.Split(c.before, " ")...), board(strings.Split(c.after, " ")...)
		v, _ := viewOf(after, 4000, 0)
		v.Give, v.Change = func(*Node) int { return 0 }, after.Compare(before.Marks())
		text := after.WriteChanges(v).Text
		lines := strings.FieldsFunc(text, func(r rune) bool { return r == '\n' })
		for i := range lines {
			lines[i] = strings.TrimSpace(lines[i])
		}
		if got := strings.Join(lines, "; "); got != c.want {
			t.Errorf("%s: from %q to %q:\n%s\nwant %s", c.what, c.before, c.after, text, c.want)
		}
	}
}

// Nothing that is left in its order is said to have moved, and without what is, the rest has kept its order.
func TestTheFewestHaveMoved(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		numbers := rapid.SliceOfNDistinct(rapid.IntRange(1, 30), 0, 9, rapid.ID).Draw(t, "numbers")
		weights := rapid.SliceOfN(rapid.IntRange(1, 4), len(numbers), len(numbers)).Draw(t, "weights")
		for i := range numbers {
			if rapid.IntRange(0, 5).Draw(t, "absent") == 0 {
				numbers[i] = 0
			}
		}
		// weigh is the weight of a choice, a bit for each number; -1: it is none.
		weigh := func(choice int) int {
			total, last := 0, 0
			for i, number := range numbers {
				if choice>>i&1 == 0 {
					continue
				}
				if number <= last {
					return -1
				}
				total, last = total+weights[i], number
			}
			return total
		}
		heaviest, chosen := 0, 0
		for choice := range 1 << len(numbers) {
			heaviest = max(heaviest, weigh(choice))
		}
		for i, kept := range heaviestIncreasing(slices.Clone(numbers), func(i int) int { return weights[i] }) {
			if kept {
				chosen |= 1 << i
			}
		}
		if weigh(chosen) != heaviest {
			t.Fatalf("of %v with the weights %v, %b weighs %d instead of %d", numbers, weights, chosen, weigh(chosen), heaviest)
		}
	})
}
