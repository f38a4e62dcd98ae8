package main

import "github.com/hermes-cdp/hermes-cdp/abi"

// maxCapped is how many frames a verdict, which has a maximum size, names as left out by caps. Agents may not look into
// those beyond: no page for people has as many.
const maxCapped = 10_000

// filter decides which frames of a tree stay. Its slices are reused from call to call.
type filter struct {
	kept       []uint32 // the result: indexes, ascending
	capped     []uint32 // of those that are left out by caps, and not by a rule
	masked     []uint32 // of those that a rule drops, and that stay as a path, or for their dialog
	byChildren bool     // max_children dropped something
	byDepth    bool     // max_oopif_depth dropped something
	byRule     string   // the first rule that dropped something; empty: none did

	tree  tree
	nodes []node
}

// node is the state of a frame while filtering.
type node struct {
	kept     bool
	dropped  bool // by a rule; it may still stay on the path to a frame that is not dropped
	tooDeep  bool // beyond max_oopif_depth
	survivor bool // it stays while the budget lasts, nearest to the top first
}

// run computes the result for frames, the first of which is the top frame. The top frame always stays, and no rule
// applies to it: a rule for its origin is about the frames of that origin inside it.
func (f *filter) run(s settings, frames []abi.Frame) {
	f.kept, f.capped, f.masked = f.kept[:0], f.capped[:0], f.masked[:0]
	f.byChildren, f.byDepth, f.byRule = false, false, ""
	if len(frames) == 0 {
		return
	}
	f.tree.build(frames)
	f.nodes = resized(f.nodes, len(frames))
	f.nodes[0].kept = true
	budget := s.maxChildren - f.keepPending(frames)
	f.mark(&s, frames)
	f.spend(budget)
	for i := range f.nodes {
		n := &f.nodes[i]
		if n.kept {
			f.kept = append(f.kept, uint32(i))
		}
		switch {
		case n.kept && n.dropped:
			f.masked = append(f.masked, uint32(i))
		case !n.kept && !n.dropped && len(f.capped) < maxCapped:
			f.capped = append(f.capped, uint32(i))
		}
	}
}

// keepPending keeps the frames with a pending dialog and the path to them, whatever caps and rules say, and returns how
// many frames these are.
func (f *filter) keepPending(frames []abi.Frame) (children int64) {
	for i := range frames {
		if frames[i].HasPendingDialog {
			children += f.keepPath(i)
		}
	}
	return children
}

// keepPath keeps a frame and the frames between it and the nearest kept frame; it returns how many it added.
func (f *filter) keepPath(i int) (added int64) {
	for ; !f.nodes[i].kept; i = f.tree.parent[i] {
		f.nodes[i].kept = true
		added++
	}
	return added
}

// mark finds what rules and depth drop. Parents come before their children, so one pass is enough.
func (f *filter) mark(s *settings, frames []abi.Frame) {
	for i := 1; i < len(frames); i++ {
		n, parent := &f.nodes[i], &f.nodes[f.tree.parent[i]]
		n.dropped = parent.dropped
		if r := s.match(originOf(&frames[i])); r != nil {
			n.dropped = r.action == actionDrop
			if n.dropped && f.byRule == "" {
				f.byRule = r.name
			}
		}
		n.tooDeep = parent.tooDeep || int64(frames[i].OOPIFDepth) > s.maxOOPIFDepth
		if n.tooDeep && !n.dropped && !n.kept {
			f.byDepth = true
		}
		n.survivor = !n.dropped && !n.tooDeep && !n.kept
	}
}

// spend keeps survivors while the budget lasts, shallow ones first, and each with its whole path: a frame below a
// dropped one also costs the frames between them.
func (f *filter) spend(budget int64) {
	for _, i := range f.tree.breadthFirst {
		if !f.nodes[i].survivor {
			continue
		}
		if cost := f.pathCost(int(i), budget); cost > budget {
			f.byChildren = true
			continue
		}
		budget -= f.keepPath(int(i))
	}
}

// pathCost counts the frames that keepPath would add, and stops above the limit.
func (f *filter) pathCost(i int, limit int64) (cost int64) {
	for ; !f.nodes[i].kept && cost <= limit; i = f.tree.parent[i] {
		cost++
	}
	return cost
}

// resized returns a slice of n zero values, in the memory of s if it is large enough.
func resized[T any](s []T, n int) []T {
	if cap(s) < n {
		return make([]T, n)
	}
	s = s[:n]
	clear(s)
	return s
}
