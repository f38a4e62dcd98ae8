// Package navigate decides on navigations. Importing it makes the module export hermes_on_navigate.
package navigate

import (
	"github.com/hermes-cdp/hermes-cdp/abi"
	"github.com/hermes-cdp/hermes-cdp/sdk/internal/guest"
)

// Event says that the document of a frame is about to be requested over the network; a redirect is an event of its own.
// Its strings and slices are valid until the handler returns. Addresses are untrusted: a page can navigate anywhere.
type Event = abi.NavigateEvent

// Verdict is what to do with the navigation: one of [Allow], [Deny], [Rewrite], [Abstain] and [Fail]. The zero value
// abstains.
type Verdict struct {
	verdict abi.NavigateVerdict
	reason  string
	failed  bool
}

// Allow lets the browser go there.
func Allow() Verdict { return Verdict{verdict: abi.NavigateVerdict{Action: abi.NavigateActionAllow}} }

// Deny fails the request, and the frame shows the browser's error page. The agent is told the reason.
func Deny(reason string) Verdict {
	return Verdict{verdict: abi.NavigateVerdict{Action: abi.NavigateActionDeny, Reason: reason}}
}

// Rewrite sends the browser to another address, which must be an absolute one of http or https; the host treats another
// as a fault. The new request is an event of its own, so do not rewrite what is already right.
func Rewrite(url string) Verdict {
	return Verdict{verdict: abi.NavigateVerdict{Action: abi.NavigateActionRewrite, URL: url}}
}

// Abstain leaves the decision to the next module, or to the host, which allows it.
func Abstain() Verdict { return Verdict{} }

// Fail says why the module can not decide; the host then allows or denies as its operator configured.
func Fail(reason string) Verdict { return Verdict{reason: reason, failed: true} }

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
	switch {
	case state.verdict.failed:
		return guest.Fail(state.verdict.reason)
	case state.verdict.verdict.Action == abi.NavigateActionUnspecified:
		return abi.StatusAbstain
	default:
		return guest.Decide(&state.verdict.verdict)
	}
}
