package main

import "github.com/hermes-cdp/hermes-cdp/abi"

// tree is the shape of a frame tree by index.
type tree struct {
	parent       []int // a frame whose parent is not before it is a child of the top frame
	breadthFirst []int32

	byID   []int32 // hash table with open addressing: index+1, or 0 if free; a Go map costs a module 5 KB
	depth  []int32
	starts []int32
}

func (t *tree) build(frames []abi.Frame) {
	t.findParents(frames)
	t.order(frames)
}

func (t *tree) findParents(frames []abi.Frame) {
	size := 16
	for size < 2*len(frames) {
		size *= 2
	}
	t.byID = resized(t.byID, size)
	t.parent = resized(t.parent, len(frames))
	for i := range frames {
		if i > 0 {
			if at := *t.slot(frames, frames[i].ParentFrameID); at > 0 {
				t.parent[i] = int(at - 1)
			}
		}
		if slot := t.slot(frames, frames[i].FrameID); *slot == 0 {
			*slot = int32(i + 1)
		}
	}
}

// slot returns the slot of the frame with an id, or the free slot where it would be.
func (t *tree) slot(frames []abi.Frame, id string) *int32 {
	mask := uint32(len(t.byID) - 1)
	for at := hash(id) & mask; ; at = (at + 1) & mask {
		if i := t.byID[at]; i == 0 || frames[i-1].FrameID == id {
			return &t.byID[at]
		}
	}
}

// hash is FNV-1a. https://datatracker.ietf.org/doc/html/draft-eastlake-fnv
func hash(s string) uint32 {
	h := uint32(2166136261)
	for i := range len(s) {
		h = (h ^ uint32(s[i])) * 16777619
	}
	return h
}

// order sorts the frames below the top by depth, with a stable counting sort.
func (t *tree) order(frames []abi.Frame) {
	t.depth = resized(t.depth, len(frames))
	deepest := int32(0)
	for i := 1; i < len(frames); i++ {
		t.depth[i] = t.depth[t.parent[i]] + 1
		deepest = max(deepest, t.depth[i])
	}
	t.starts = resized(t.starts, int(deepest)+2)
	for _, depth := range t.depth[1:] {
		t.starts[depth+1]++
	}
	for depth := int32(1); depth <= deepest+1; depth++ {
		t.starts[depth] += t.starts[depth-1]
	}
	t.breadthFirst = resized(t.breadthFirst, len(frames)-1)
	for i := 1; i < len(frames); i++ {
		next := &t.starts[t.depth[i]]
		t.breadthFirst[*next] = int32(i)
		*next++
	}
}
