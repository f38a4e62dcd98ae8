// Package frames trims frame trees before an agent sees them. Importing it makes the module export
// hermes_filter_frames.
package frames

import (
	"github.com/hermes-cdp/hermes-cdp/abi"
	"github.com/hermes-cdp/hermes-cdp/sdk/internal/guest"
)

// Event is the frame tree of a tab, parents before their children. It is valid until the handler returns.
type Event = abi.FramesEvent

// Frame is one node of the tree.
type Frame = abi.Frame

// Verdict says which frames an agent sees: one of [Keep], [Abstain] and [Fail]. The zero value abstains.
type Verdict struct {
	verdict abi.FramesVerdict
	reason  string
	status  outcome
}

type outcome uint8

const (
	abstained outcome = iota
	decided
	failed
)

// Keep keeps the frames with these indexes, in ascending order; the host always keeps the top frame. truncated says
// that something was left out because of a cap. The slice is used after the handler returned, and may be its own again
// in the next call.
func Keep(indexes []uint32, truncated bool) Verdict {
	return Verdict{verdict: abi.FramesVerdict{Kept: indexes, Truncated: truncated}, status: decided}
}

// Abstain leaves the decision to the next module, or to the host's own caps.
func Abstain() Verdict { return Verdict{} }

// Fail says why the module can not decide; the host applies its own caps.
func Fail(reason string) Verdict { return Verdict{reason: reason, status: failed} }

// Because names the rule that decided, for people who ask why.
func (v Verdict) Because(rule string) Verdict {
	v.verdict.Rule = rule
	return v
}

// state is of the one handler that a module has, and reused from call to call.
var state struct {
	handler func(Event) Verdict
	event   Event
	verdict Verdict
}

// Handle registers the handler; call it in func init. The last one registered counts.
func Handle(f func(Event) Verdict) { state.handler = f }

func run(n int32) abi.Status {
	if state.handler == nil {
		return abi.StatusAbstain
	}
	src, ok := guest.Event(n)
	if !ok {
		return abi.StatusError
	}
	if err := state.event.UnmarshalAlias(src); err != nil {
		return guest.Fail(err.Error())
	}
	state.verdict = state.handler(state.event)
	switch state.verdict.status {
	case failed:
		return guest.Fail(state.verdict.reason)
	case abstained:
		return abi.StatusAbstain
	default:
		return guest.Decide(&state.verdict.verdict)
	}
}
