// Package snapshot edits what readings of pages show, before an agent gets them. Importing it makes the module export
// hermes_on_snapshot.
package snapshot

import (
	"github.com/hermes-cdp/hermes-cdp/abi"
	"github.com/hermes-cdp/hermes-cdp/sdk/internal/guest"
)

// Event is a reading, or a part of a large one: its elements and texts in document order, parents before their
// children. All of it is untrusted but its URL and its origins. Its slices are valid until the handler returns; its
// strings can be kept.
type Event = abi.SnapshotEvent

// Node is an element, or a text.
type Node = abi.SnapshotNode

// Verdict says what happens to the nodes. The zero value abstains: they stay as they are, unless another module edits
// them. [Keep] is a verdict without an edit.
type Verdict struct {
	decision guest.Decision[abi.SnapshotVerdict]
}

// Keep leaves the nodes as they are, but for the edits that are added to it.
func Keep() Verdict { return Verdict{guest.Decide(abi.SnapshotVerdict{})} }

// Abstain has no opinion.
func Abstain() Verdict { return Verdict{} }

// Fail says why the module cannot decide; the host then withholds the nodes or shows them, as its operator configured.
func Fail(reason string) Verdict { return Verdict{guest.Fail[abi.SnapshotVerdict](reason)} }

// Mask has the node with this index say what another says: its name, its value and its description. Its URL and its
// hint are not shown.
func (v Verdict) Mask(index int, by Node) Verdict {
	return v.edit(abi.SnapshotEdit{Node: uint32(index), Action: abi.SnapshotActionMask, Name: by.Name, Value: by.Value, Description: by.Description})
}

// Drop leaves out the node with this index, and all that is in it.
func (v Verdict) Drop(index int) Verdict {
	return v.edit(abi.SnapshotEdit{Node: uint32(index), Action: abi.SnapshotActionDrop})
}

// Annotate adds a note to the node with this index, in a few words.
func (v Verdict) Annotate(index int, note string) Verdict {
	return v.edit(abi.SnapshotEdit{Node: uint32(index), Action: abi.SnapshotActionAnnotate, Note: note})
}

// edit adds an edit, which also makes a decision of a verdict that abstained.
func (v Verdict) edit(e abi.SnapshotEdit) Verdict {
	return Verdict{guest.Decide(abi.SnapshotVerdict{Edits: append(v.decision.Verdict.Edits, e), Rule: v.decision.Verdict.Rule})}
}

// Because names the rule that decided, for people who ask why.
func (v Verdict) Because(rule string) Verdict {
	v.decision.Verdict.Rule = rule
	return v
}

var hook guest.Hook[Event, Verdict]

// Handle registers the handler; call it in func init, once: after a second call the host refuses the module. In tests,
// nil makes room for another handler.
func Handle(f func(Event) Verdict) { hook.Handle("snapshot", f) }

func init() { guest.Export(abi.HookSnapshot, onSnapshot) }

//go:wasmexport hermes_on_snapshot
func onSnapshot(n int32) int32 {
	return guest.ServeHook(n, &hook, func(v *Verdict) *guest.Decision[abi.SnapshotVerdict] { return &v.decision })
}
