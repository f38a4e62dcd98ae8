package page

import (
	"fmt"
	"maps"
	"testing"

	cdproto "github.com/chromedp/cdproto/cdp"
	"pgregory.net/rapid"
)

// plant makes a tree of buttons of one frame.
func plant(refs *Refs, document cdproto.LoaderID, nodes map[cdproto.BackendNodeID]string) *Tree {
	t := &Tree{
		Root: &Node{Role: "document"}, Reading: refs.Begin(), frames: map[cdproto.FrameID]cdproto.LoaderID{"F": document}, sessions: map[cdproto.FrameID]string{"F": "S"},
	}
	for id, name := range nodes {
		n := &Node{Role: "button", Name: name, Acts: true, Key: Key{"F", document, id}, Parent: t.Root}
		t.Root.Children = append(t.Root.Children, n)
	}
	t.number()
	refs.Note("T", t)
	return t
}

// Whatever a page does, a ref belongs to one element forever, an element has one ref, and a ref is live as long as its
// element is in the newest reading.
func TestARefIsOfOneElementForEver(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		refs := NewRefs()
		of := map[int]Key{}
		nodes := map[cdproto.BackendNodeID]string{}
		document, last := cdproto.LoaderID("D0"), cdproto.BackendNodeID(0)
		for step := range rapid.IntRange(1, 30).Draw(t, "steps") {
			switch rapid.IntRange(0, 3).Draw(t, "what") {
			case 0:
				document = cdproto.LoaderID(fmt.Sprintf("D%d", step))
				clear(nodes)
			case 1, 2:
				last++
				nodes[last] = fmt.Sprint("button ", last%3)
			case 3:
				maps.DeleteFunc(nodes, func(id cdproto.BackendNodeID, _ string) bool { return id%2 == 0 })
			}
			tree := plant(refs, document, nodes)
			given := map[int]bool{}
			for _, n := range tree.nodes {
				number := refs.Give("T", tree, n)
				if key, ok := of[number]; ok && key != n.Key || given[number] {
					t.Fatalf("e%d is of %v and of %v", number, key, n.Key)
				}
				of[number], given[number] = n.Key, true
			}
			for number, key := range of {
				_, here := nodes[key.Node]
				found, known := refs.Find(number)
				if live := here && key.Document == document; live != (known == RefLive) || found.Key != key {
					t.Fatalf("e%d of %v is %v, its element is there: %v", number, key, known, live)
				}
			}
		}
	})
}

func TestRefsAreBounded(t *testing.T) {
	refs := NewRefs()
	nodes := map[cdproto.BackendNodeID]string{}
	for i := range maxRefs + maxRefs/2 {
		nodes[cdproto.BackendNodeID(i+1)] = "button"
	}
	tree := plant(refs, "D", nodes)
	for _, n := range tree.nodes {
		refs.Give("T", tree, n)
	}
	if len(refs.byNumber) > maxRefs || len(refs.byKey) != len(refs.byNumber) {
		t.Errorf("%d refs are kept", len(refs.byNumber))
	}
	if _, known := refs.Find(1); known != RefForgotten {
		t.Errorf("the first ref is %v", known)
	}
	if _, known := refs.Find(refs.Next()); known != RefUnknown {
		t.Errorf("a ref that was never given out is %v", known)
	}
}

// A reading that began earlier and ended later does not make elements stale that a newer one found.
func TestReadingsMayCrossEachOther(t *testing.T) {
	refs := NewRefs()
	old := &Tree{Root: &Node{}, Reading: refs.Begin(), frames: map[cdproto.FrameID]cdproto.LoaderID{"F": "D"}, sessions: map[cdproto.FrameID]string{"F": "S"}}
	tree := plant(refs, "D", map[cdproto.BackendNodeID]string{1: "new"})
	number := refs.Give("T", tree, tree.nodes[0])
	refs.Note("T", old)
	if _, known := refs.Find(number); known != RefLive {
		t.Errorf("the ref is %v", known)
	}
}

func TestARefOfARemovedFrameIsGone(t *testing.T) {
	refs := NewRefs()
	tree := plant(refs, "D", map[cdproto.BackendNodeID]string{1: "in the frame"})
	number := refs.Give("T", tree, tree.nodes[0])
	if live := refs.Live(); len(live) != 1 || live[0].Number != number {
		t.Errorf("live are %v", live)
	}
	refs.Note("T", &Tree{Root: &Node{}, Reading: refs.Begin()})
	if _, known := refs.Find(number); known != RefGone {
		t.Errorf("the ref is %v", known)
	}
	if live := refs.Live(); len(live) != 0 {
		t.Errorf("live are %v", live)
	}
	if gone := refs.Gone("T", 1); len(gone) != 1 || gone[0].Number != number {
		t.Errorf("gone is %v", gone)
	}
}

func TestCandidatesAreTheNearest(t *testing.T) {
	refs := NewRefs()
	tree := plant(refs, "D", map[cdproto.BackendNodeID]string{1: "Delete", 2: "Save draft", 3: "Save", 4: "saving", 5: "Zzz"})
	near := Candidates(tree, Ref{Role: "button", Name: "Save", Key: Key{Frame: "F"}})
	if len(near) < 3 || near[0].Name != "Save" {
		t.Fatalf("the nearest are %v", near)
	}
	for _, n := range near {
		if n.Name == "Zzz" {
			t.Error("an element with nothing in common is offered")
		}
	}
	if near := Candidates(tree, Ref{Role: "link", Name: "Save", Key: Key{Frame: "F"}}); len(near) != 0 {
		t.Errorf("elements of another role are offered: %v", near)
	}
}

func TestRefsAsTheyAreWritten(t *testing.T) {
	for text, want := range map[string]int{"e5": 5, "@e12": 12, " @e1 ": 1, "": 0, "e": 0, "e0": 0, "5": 0, "@@e5": 0, "e05": 0, "e-1": 0, "e99999999999999999999": 0} {
		if got, ok := ParseRef(text); ok != (want != 0) || ok && got != want {
			t.Errorf("%q is %d, %v", text, got, ok)
		}
	}
}
