package main

import "github.com/hermes-cdp/hermes-cdp/sdk/frames"

// parentsOf finds the index of each frame's parent; one that is not before its child is taken to be the top frame.
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

// table finds frames by their ids, by open addressing: index+1, or 0 for free. With a map of Go, which TinyGo makes
// slowly, a large tree takes seven times the fuel.
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

// slot returns where the frame with that id is in the table, or where it would be.
func (t *table) slot(id string) *int32 {
	mask := uint32(len(t.slots) - 1)
	for at := uint32(hash(id)) & mask; ; at = (at + 1) & mask {
		if i := t.slots[at]; i == 0 || t.list[i-1].FrameID == id {
			return &t.slots[at]
		}
	}
}
