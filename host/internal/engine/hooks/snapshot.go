package hooks

import (
	"fmt"

	"github.com/hermes-cdp/hermes-cdp/abi"
	"github.com/hermes-cdp/hermes-cdp/host/internal/plugin/journal"
	"github.com/hermes-cdp/hermes-cdp/host/internal/plugin/lifecycle"
	"github.com/hermes-cdp/hermes-cdp/internal/pagetext"
)

// Left is what the modules have left of a part of a reading.
type Left struct {
	// At are the places, among the nodes that the modules were asked about, of those that are left in the event.
	At []int
	// Notes are the notes on the nodes that are left, by their places.
	Notes map[int][]string
	// Masked are the nodes that are left and say something else now, by their places.
	Masked map[int]bool
	// Dropped counts the nodes that each plugin has dropped, with what was in them.
	Dropped map[string]int
	// Fault says why a module could not decide; empty: all of them could. Withheld says that nothing is left then.
	Fault    string
	Withheld bool
}

// Snapshot asks the modules about a part of a reading. Each sees what the one before has left of it, and so does the
// event afterwards. FailOpen lets it pass as it is then if a module failed to decide.
func Snapshot(e *abi.SnapshotEvent, failOpen bool) (lifecycle.Question, func(lifecycle.Outcome) Left) {
	left := Left{At: make([]int, len(e.Nodes)), Notes: map[int][]string{}, Masked: map[int]bool{}, Dropped: map[string]int{}}
	for i := range left.At {
		left.At[i] = i
	}
	var verdict abi.SnapshotVerdict
	var dropped []int // by each module that has decided
	q := lifecycle.Question{
		Hook: abi.HookSnapshot, Task: e.Header.TaskID, Header: &e.Header, Encode: e.Append,
		Decode: func(b []byte) error {
			if err := decodes(&verdict)(b); err != nil {
				return err
			}
			for i := range verdict.Edits {
				if node := verdict.Edits[i].Node; uint64(node) >= uint64(len(e.Nodes)) {
					return fmt.Errorf("edit %d is of node %d of %d", i, node, len(e.Nodes))
				}
			}
			return nil
		},
		Next: func() bool {
			dropped = append(dropped, left.apply(e, &verdict))
			return true
		},
	}
	return q, func(o lifecycle.Outcome) Left {
		for _, c := range o.Calls {
			if c.Outcome == journal.OutcomeDecided && len(dropped) > 0 {
				left.Dropped[c.Module] += dropped[0]
				dropped = dropped[1:]
			}
		}
		if left.Fault = pagetext.Line(o.Fault); left.Fault != "" && !failOpen {
			left.At, left.Withheld = nil, true
		}
		return left
	}
}

// apply does to the event what a module has decided, and returns how many nodes it has dropped.
func (l *Left) apply(e *abi.SnapshotEvent, v *abi.SnapshotVerdict) (dropped int) {
	gone := make([]bool, len(e.Nodes))
	for i := range v.Edits {
		edit := &v.Edits[i]
		node, at := &e.Nodes[edit.Node], l.At[edit.Node]
		switch edit.Action {
		case abi.SnapshotActionMask:
			node.Name, node.Value, node.Description, node.URL, node.Hint = edit.Name, edit.Value, edit.Description, "", ""
			l.Masked[at] = true
		case abi.SnapshotActionDrop:
			gone[edit.Node] = true
		case abi.SnapshotActionAnnotate:
			l.Notes[at] = append(l.Notes[at], edit.Note)
		}
	}
	nodes, places := e.Nodes[:0], l.At[:0]
	in := uint32(0) // the depth of the node that is dropped with what follows
	within := false
	for i, node := range e.Nodes {
		if within = within && node.Depth > in; !within && gone[i] {
			within, in = true, node.Depth
		}
		if within {
			dropped++
			continue
		}
		nodes, places = append(nodes, node), append(places, l.At[i])
	}
	e.Nodes, l.At = nodes, places
	return dropped
}
