package main

import "github.com/hermes-cdp/hermes-cdp/sdk/frames"

// parentsOf returns the index of each frame's parent: that of the top frame if the parent is not before its child.
func parentsOf(list []frames.Frame) []int {
	ids := newTable(list)
	parents := make([]int, len(list))
	for i := range list {
		if i > 0 {
			if at := *ids.slot(list[i].ParentFrameID); at > 0 {
				parents[i] = int(at - 1)
			}
		}
		if slot := ids.slot(list[i].FrameID); *slot == 0 {
			*slot = int32(i + 1)
		}
	}
	return parents
}

// table finds frames by id, by open addressing: a slot is index+1, or 0 if it is free. With a Go map, which is slow in
// TinyGo, a large tree takes seven times the fuel.
type table struct {
	list  []frames.Frame
	slots []int32
}

func newTable(list []frames.Frame) *table {
	size := 16
	for size < 2*len(list) {
		size *= 2
	}
	return &table{list, make([]int32, size)}
}

// slot returns the slot of the frame with an id, or the free slot where it would be.
func (t *table) slot(id string) *int32 {
	mask := uint32(len(t.slots) - 1)
	for at := uint32(hash(id)) & mask; ; at = (at + 1) & mask {
		if i := t.slots[at]; i == 0 || t.list[i-1].FrameID == id {
			return &t.slots[at]
		}
	}
}
