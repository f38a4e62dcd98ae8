package page

import (
	"reflect"
	"testing"

	"pgregory.net/rapid"
)

// However often and in whatever form a tree was written before, a page of it is what it is the first time.
func TestAPageIsTheSameWhateverWasWrittenBefore(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		tree := randomTree(t)
		if rapid.Bool().Draw(t, "a table") {
			tree = treeOf(append(tree.Root.Children, prices(60))...)
		}
		scopes := append([]*Node{nil, tree.Root}, tree.nodes...)
		for range rapid.IntRange(1, 12).Draw(t, "pages") {
			v, _ := viewOf(tree, rapid.SampledFrom([]int{1000, 2000, 9000}).Draw(t, "budget"), rapid.IntRange(0, 3).Draw(t, "page"))
			v.Full = rapid.Bool().Draw(t, "full")
			v.Scope = rapid.SampledFrom(scopes).Draw(t, "scope")
			v.Give = func(*Node) int { return 1 }
			if rapid.IntRange(0, 4).Draw(t, "looks") == 0 {
				v.Match = &Match{Text: "n1"}
			}
			got, err := tree.Write(v)
			known := tree.divided.last
			tree.divided.last = nil
			want, wantErr := tree.Write(v)
			tree.divided.last = known
			if !reflect.DeepEqual(got, want) || !reflect.DeepEqual(err, wantErr) {
				t.Fatalf("got %v\n%s\nwant %v\n%s", err, got.Text, wantErr, want.Text)
			}
			if len(known) > maxDivisions {
				t.Fatalf("%d divisions are kept", len(known))
			}
		}
	})
}
