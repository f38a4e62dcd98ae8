package page

import (
	"fmt"
	"strconv"
	"testing"

	cdproto "github.com/chromedp/cdproto/cdp"
)

// BenchmarkBuildAndWrite measures the host's work on a page once the browser has replied.
func BenchmarkBuildAndWrite(b *testing.B) {
	for _, elements := range []int{1000, 10_000} {
		b.Run(fmt.Sprintf("%d elements", elements), func(b *testing.B) {
			r := &raw{frames: []Frame{{ID: "F", Document: "D"}}, trees: map[cdproto.FrameID][]axNode{"F": list(elements / 2)}}
			refs := NewRefs()
			b.ReportAllocs()
			for b.Loop() {
				tree := build(r)
				tree.Reading = refs.Begin()
				refs.Note("T", tree)
				w, err := tree.Write(View{Budget: 8000, Give: func(n *Node) int { return refs.Give("T", tree, n) }, Next: refs.Next()})
				if err != nil || w.Wanted != elements {
					b.Fatalf("%d nodes, %v", w.Wanted, err)
				}
			}
		})
	}
}

// list is the accessibility tree of a list of buttons.
func list(items int) []axNode {
	role := func(name string) axValue { return axValue{Value: name} }
	nodes := []axNode{{ID: "root", Role: role("RootWebArea"), Backend: 1}}
	for i := range items {
		item, button := "i"+strconv.Itoa(i), "b"+strconv.Itoa(i)
		nodes[0].Children = append(nodes[0].Children, item)
		nodes = append(nodes,
			axNode{ID: item, Parent: "root", Role: role("listitem"), Backend: cdproto.BackendNodeID(2*i + 2), Children: []string{button}},
			axNode{ID: button, Parent: item, Role: role("button"), Name: role("Order number " + strconv.Itoa(i)), Backend: cdproto.BackendNodeID(2*i + 3)})
	}
	return nodes
}
