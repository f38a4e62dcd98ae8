package main

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/hermes-cdp/hermes-cdp/abi"
)

// trees draws a tree as the host sends it: parents before their children, depths filled in.
func trees() *rapid.Generator[[]abi.Frame] {
	return rapid.Custom(func(t *rapid.T) []abi.Frame {
		n := rapid.IntRange(1, 40).Draw(t, "frames")
		frames := []abi.Frame{{FrameID: "f0", Kind: abi.FrameKindTop}}
		for i := 1; i < n; i++ {
			parent := frames[rapid.IntRange(0, i-1).Draw(t, "parent")]
			frame := abi.Frame{
				FrameID: fmt.Sprintf("f%d", i), ParentFrameID: parent.FrameID, Kind: abi.FrameKindLocal,
				Depth: parent.Depth + 1, OOPIFDepth: parent.OOPIFDepth,
				Origin:           rapid.SampledFrom([]string{"https://a.example", "https://b.example", "https://c.example"}).Draw(t, "origin"),
				HasPendingDialog: rapid.IntRange(0, 9).Draw(t, "pending") == 0,
			}
			if rapid.IntRange(0, 3).Draw(t, "oopif") == 0 {
				frame.Kind = abi.FrameKindOOPIF
				frame.OOPIFDepth++
			}
			frames = append(frames, frame)
		}
		return frames
	})
}

func drawSettings(t *rapid.T) settings {
	s := settings{
		maxChildren:   int64(rapid.IntRange(0, 20).Draw(t, "max children")),
		maxOOPIFDepth: int64(rapid.IntRange(0, 3).Draw(t, "max depth")),
	}
	for i := range rapid.IntRange(0, 3).Draw(t, "rules") {
		s.rules = append(s.rules, rule{
			name:   fmt.Sprintf("rules[%d]", i),
			origin: rapid.SampledFrom([]string{"https://a.*", "https://b.*", "https://c.*", "*"}).Draw(t, "pattern"),
			action: rapid.SampledFrom([]action{actionDrop, actionKeep}).Draw(t, "action"),
		})
	}
	return s
}

func TestWhateverTheTreeAndTheSettings(t *testing.T) {
	var f filter // reused, as in a module
	rapid.Check(t, func(t *rapid.T) {
		frames, s := trees().Draw(t, "tree"), drawSettings(t)
		f.run(s, frames)
		index := make(map[string]int, len(frames))
		for i := range frames {
			index[frames[i].FrameID] = i
		}
		parent := func(i int) int { return index[frames[i].ParentFrameID] }
		kept := make(map[int]bool)
		for _, i := range f.kept {
			kept[int(i)] = true
		}
		if !slices.IsSorted(f.kept) || len(kept) != len(f.kept) {
			t.Fatalf("kept is not ascending: %v", f.kept)
		}
		if !kept[0] {
			t.Fatal("the top frame is missing")
		}
		forced := map[int]bool{}
		for i := range frames {
			if frames[i].HasPendingDialog {
				for at := i; at != 0; at = parent(at) {
					forced[at] = true
				}
			}
		}
		for i := range frames {
			if kept[i] && !kept[parent(i)] {
				t.Fatalf("frame %d is kept and its parent %d is not", i, parent(i))
			}
			if forced[i] && !kept[i] {
				t.Fatalf("frame %d has a pending dialog in or below it and is missing", i)
			}
			if kept[i] && !forced[i] && int64(frames[i].OOPIFDepth) > s.maxOOPIFDepth {
				t.Fatalf("frame %d is too deep", i)
			}
		}
		if limit := max(int(s.maxChildren), len(forced)); len(kept)-1 > limit {
			t.Fatalf("%d children are kept, %d allowed", len(kept)-1, limit)
		}
		if len(s.rules) == 0 && (len(kept) < len(frames)) != (f.byChildren || f.byDepth) {
			t.Fatalf("%d of %d frames are kept, truncated is %v", len(kept), len(frames), f.byChildren || f.byDepth)
		}
		if len(s.rules) == 0 && f.byChildren {
			checkShallowFirst(t, s, frames, kept, forced)
		}
		if len(kept) == len(frames) && f.explain(s) != "" && len(s.rules) == 0 {
			t.Fatalf("everything is kept because of %q", f.explain(s))
		}
	})
}

// checkShallowFirst: without rules no frame is left out for the cap on children while a deeper one is kept that no
// pending dialog protects.
func checkShallowFirst(t *rapid.T, s settings, frames []abi.Frame, kept, forced map[int]bool) {
	shallowestOut, deepestIn := ^uint32(0), uint32(0)
	for i := range frames {
		switch {
		case !kept[i] && int64(frames[i].OOPIFDepth) <= s.maxOOPIFDepth:
			shallowestOut = min(shallowestOut, frames[i].Depth)
		case kept[i] && !forced[i]:
			deepestIn = max(deepestIn, frames[i].Depth)
		}
	}
	if deepestIn > shallowestOut {
		t.Fatalf("a frame of depth %d is kept, and one of depth %d is not", deepestIn, shallowestOut)
	}
}

func TestTheDefaultCapIsThirtyChildren(t *testing.T) {
	frames := []abi.Frame{{FrameID: "top"}}
	for i := range 31 {
		frames = append(frames, abi.Frame{FrameID: fmt.Sprint(i), ParentFrameID: "top", Depth: 1})
	}
	s, err := readSettings("configuration", nil, builtIn)
	if err != nil {
		t.Fatal(err)
	}
	var f filter
	if f.run(s, frames[:31]); len(f.kept) != 31 || f.byChildren {
		t.Errorf("of 30 children %d are kept, truncated %v", len(f.kept)-1, f.byChildren)
	}
	if f.run(s, frames); len(f.kept) != 31 || !f.byChildren {
		t.Errorf("of 31 children %d are kept, truncated %v", len(f.kept)-1, f.byChildren)
	}
}

func TestIDsThatShareAHashSlotAreToldApart(t *testing.T) {
	ids := make(map[uint32]string)
	first, second := "", ""
	for i := 0; second == ""; i++ {
		id := fmt.Sprint("frame", i)
		if other, ok := ids[hash(id)&15]; ok {
			first, second = other, id
		}
		ids[hash(id)&15] = id
	}
	frames := []abi.Frame{
		{FrameID: first}, {FrameID: second, ParentFrameID: first}, {FrameID: "x", ParentFrameID: second},
	}
	var shape tree
	shape.build(frames)
	if !slices.Equal(shape.parent, []int{0, 0, 1}) {
		t.Errorf("parents are %v", shape.parent)
	}
}

func TestAThousandFramesInOneChain(t *testing.T) {
	frames := []abi.Frame{{FrameID: "0"}}
	for i := 1; i < 1000; i++ {
		frames = append(frames, abi.Frame{FrameID: fmt.Sprint(i), ParentFrameID: fmt.Sprint(i - 1)})
	}
	frames[999].HasPendingDialog = true
	var f filter
	f.run(settings{maxChildren: 5, maxOOPIFDepth: 2}, frames)
	if len(f.kept) != 1000 || f.explain(settings{}) != "" {
		t.Errorf("%d of 1000 frames are kept, because %q", len(f.kept), f.explain(settings{}))
	}
}

func TestFilteringMakesNoGarbage(t *testing.T) {
	frames := []abi.Frame{{FrameID: "0"}}
	for i := 1; i < 200; i++ {
		frames = append(frames, abi.Frame{FrameID: strings.Repeat("x", i), ParentFrameID: "0"})
	}
	var f filter
	s := settings{maxChildren: 30, maxOOPIFDepth: 2}
	if n := testing.AllocsPerRun(20, func() { f.run(s, frames) }); n != 0 {
		t.Errorf("%v allocations per tree, want 0", n)
	}
}
