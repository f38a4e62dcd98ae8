// Package frames trims frame trees before an agent sees them. Importing it makes the module export
// hermes_filter_frames.
package frames

import (
	"github.com/hermes-cdp/hermes-cdp/abi"
	"github.com/hermes-cdp/hermes-cdp/sdk/internal/guest"
)

// Event is the frame tree of a tab, parents before their children. Its slices are valid until the handler
// returns; its strings can be kept.
type Event = abi.FramesEvent

// Frame is one node of the tree.
type Frame = abi.Frame

// Verdict says which frames an agent sees: one of [Keep], [Abstain] and [Fail]. The zero value abstains.
type Verdict struct {
	decision guest.Decision[abi.FramesVerdict]
}

func decide(v abi.FramesVerdict) Verdict { return Verdict{guest.Decide(v)} }

// Keep lists the frames with these indexes, in ascending order; the host always keeps the top frame. Agents cannot look
// into any other frame, unless [Verdict.Capped] names it. truncated says that a cap left something out. The slice is
// read after the handler returns; the next call may reuse it.
func Keep(indexes []uint32, truncated bool) Verdict {
	return decide(abi.FramesVerdict{Kept: indexes, Truncated: truncated})
}

// Abstain leaves the decision to the next module, or to the host's own caps.
func Abstain() Verdict { return Verdict{} }

// Fail says why the module cannot decide; the host applies its own caps.
func Fail(reason string) Verdict { return Verdict{guest.Fail[abi.FramesVerdict](reason)} }

// Capped names the frames that are not listed only because there are so many, in ascending order: agents may look into
// them. The slice is read as that of [Keep] is.
func (v Verdict) Capped(indexes []uint32) Verdict {
	v.decision.Verdict.Capped = indexes
	return v
}

// Masked names the frames that are kept as the path to others, or for their dialogs, in ascending order: agents may not
// look into them. The slice is read as that of [Keep] is.
func (v Verdict) Masked(indexes []uint32) Verdict {
	v.decision.Verdict.Masked = indexes
	return v
}

// Because names the rule that decided, for people who ask why.
func (v Verdict) Because(rule string) Verdict {
	v.decision.Verdict.Rule = rule
	return v
}

var hook guest.Hook[Event, Verdict]

// Handle registers the handler; call it in func init, once: after a second call the host refuses the module. In
// tests, nil makes room for another handler.
func Handle(f func(Event) Verdict) { hook.Handle("frames", f) }

func init() { guest.Export(abi.HookFrames, filterFrames) }

//go:wasmexport hermes_filter_frames
func filterFrames(n int32) int32 {
	return guest.ServeHook(n, &hook, func(v *Verdict) *guest.Decision[abi.FramesVerdict] { return &v.decision })
}
