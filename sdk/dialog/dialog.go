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
	err     error
}

// Hold leaves the answer to an agent; the host dismisses the dialog after the timeout. A timeout of 0 is the host's
// own. Fractions of a millisecond are dropped.
func Hold(timeout time.Duration) Verdict {
	return Verdict{verdict: abi.DialogVerdict{Action: abi.DialogActionHold, TimeoutMs: int64(timeout / time.Millisecond)}}
}

// Accept accepts the dialog; a prompt returns the page's default text.
func Accept() Verdict { return Verdict{verdict: abi.DialogVerdict{Action: abi.DialogActionAccept}} }

// AcceptText accepts a prompt with a text, which may be empty.
func AcceptText(text string) Verdict {
	return Verdict{verdict: abi.DialogVerdict{Action: abi.DialogActionAccept, HasText: true, Text: text}}
}

// Dismiss dismisses the dialog.
func Dismiss() Verdict { return Verdict{verdict: abi.DialogVerdict{Action: abi.DialogActionDismiss}} }

// Abstain leaves the decision to the next module, or to the host.
func Abstain() Verdict { return Verdict{} }

// Fail says why the module cannot decide; the host falls back to its own rule.
func Fail(reason string) Verdict { return Verdict{err: guest.Error(reason)} }

// Because names the rule that decided, for people who ask why.
func (v Verdict) Because(rule string) Verdict {
	v.verdict.Rule = rule
	return v
}

// Final makes the verdict override an answer that an agent gave in advance (armed). After a final [Hold] an agent must
// see the dialog before it answers.
func (v Verdict) Final() Verdict {
	v.verdict.Final = true
	return v
}

// state belongs to the module's one handler, and is reused from call to call.
var state struct {
	handler func(Event) Verdict
	event   Event
	verdict Verdict
}

// Handle registers the handler; call it in func init. The last one registered counts.
func Handle(f func(Event) Verdict) { state.handler = f }

func init() { guest.Export(abi.HookDialog, onDialog) }

//go:wasmexport hermes_on_dialog
func onDialog(n int32) int32 {
	return guest.Serve(n, &state.event, func() (*abi.DialogVerdict, error) {
		if state.handler == nil {
			return nil, guest.Abstain
		}
		v := &state.verdict
		*v = state.handler(state.event)
		if v.err == nil && v.verdict.Action == abi.DialogActionUnspecified {
			return nil, guest.Abstain
		}
		return &v.verdict, v.err
	})
}
