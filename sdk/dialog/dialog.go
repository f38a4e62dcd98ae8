// Package dialog decides on JavaScript dialogs. Importing it makes the module export hermes_on_dialog.
package dialog

import (
	"time"

	"github.com/hermes-cdp/hermes-cdp/abi"
	"github.com/hermes-cdp/hermes-cdp/sdk/internal/guest"
)

// Event says that a dialog opened and waits for an answer. Its strings and slices are valid until the handler returns.
type Event = abi.DialogEvent

// Verdict is what to do with the dialog: one of [Hold], [Accept], [AcceptText], [Dismiss], [Abstain] and [Fail]. The
// zero value abstains.
type Verdict struct {
	verdict abi.DialogVerdict
	reason  string
	failed  bool
}

// Hold leaves the answer to an agent; the host dismisses the dialog when the timeout has passed. 0 takes the host's own
// timeout, a fraction of a millisecond is cut.
func Hold(timeout time.Duration) Verdict {
	return Verdict{verdict: abi.DialogVerdict{Action: abi.DialogActionHold, TimeoutMs: int64(timeout / time.Millisecond)}}
}

// Accept accepts the dialog; a prompt returns the page's default text.
func Accept() Verdict { return Verdict{verdict: abi.DialogVerdict{Action: abi.DialogActionAccept}} }

// AcceptText accepts a prompt with that text, which may be empty.
func AcceptText(text string) Verdict {
	return Verdict{verdict: abi.DialogVerdict{Action: abi.DialogActionAccept, HasText: true, Text: text}}
}

// Dismiss dismisses the dialog.
func Dismiss() Verdict { return Verdict{verdict: abi.DialogVerdict{Action: abi.DialogActionDismiss}} }

// Abstain leaves the decision to the next module, or to the host.
func Abstain() Verdict { return Verdict{} }

// Fail says why the module can not decide; the host falls back to its own rule.
func Fail(reason string) Verdict { return Verdict{reason: reason, failed: true} }

// Because names the rule that decided, for people who ask why.
func (v Verdict) Because(rule string) Verdict {
	v.verdict.Rule = rule
	return v
}

// Final makes the verdict stand whatever an agent said before it: an answer that was armed is not used. With [Hold] an agent
// has to answer in sight of the dialog.
func (v Verdict) Final() Verdict {
	v.verdict.Final = true
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
	case state.verdict.verdict.Action == abi.DialogActionUnspecified:
		return abi.StatusAbstain
	default:
		return guest.Decide(&state.verdict.verdict)
	}
}
