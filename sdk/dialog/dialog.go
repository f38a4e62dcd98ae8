// Package dialog decides on JavaScript dialogs. Importing it makes the module export hermes_on_dialog.
package dialog

import (
	"time"

	"github.com/hermes-cdp/hermes-cdp/abi"
	"github.com/hermes-cdp/hermes-cdp/sdk/internal/guest"
)

// Event says that a dialog opened and waits for an answer. Its slices are valid until the handler returns; its
// strings can be kept.
type Event = abi.DialogEvent

// Verdict is what to do with the dialog: one of [Hold], [Accept], [AcceptText], [Dismiss], [Abstain] and [Fail]. The
// zero value abstains.
type Verdict struct {
	decision guest.Decision[abi.DialogVerdict]
}

func decide(v abi.DialogVerdict) Verdict { return Verdict{guest.Decide(v)} }

// Hold leaves the answer to an agent; the host dismisses the dialog after the timeout. A timeout of 0 is the host's
// own. Fractions of a millisecond are dropped.
func Hold(timeout time.Duration) Verdict {
	return decide(abi.DialogVerdict{Action: abi.DialogActionHold, TimeoutMs: int64(timeout / time.Millisecond)})
}

// Accept accepts the dialog; a prompt returns the page's default text.
func Accept() Verdict { return decide(abi.DialogVerdict{Action: abi.DialogActionAccept}) }

// AcceptText accepts a prompt with a text, which may be empty.
func AcceptText(text string) Verdict {
	return decide(abi.DialogVerdict{Action: abi.DialogActionAccept, HasText: true, Text: text})
}

// Dismiss dismisses the dialog.
func Dismiss() Verdict { return decide(abi.DialogVerdict{Action: abi.DialogActionDismiss}) }

// Abstain leaves the decision to the next module, or to the host.
func Abstain() Verdict { return Verdict{} }

// Fail says why the module cannot decide; the host falls back to its own rule.
func Fail(reason string) Verdict { return Verdict{guest.Fail[abi.DialogVerdict](reason)} }

// Because names the rule that decided, for people who ask why.
func (v Verdict) Because(rule string) Verdict {
	v.decision.Verdict.Rule = rule
	return v
}

// Final makes the verdict override an answer that an agent gave in advance (armed). After a final [Hold] an agent must
// see the dialog before it answers.
func (v Verdict) Final() Verdict {
	v.decision.Verdict.Final = true
	return v
}

var hook guest.Hook[Event, Verdict]

// Handle registers the handler; call it in func init, once: after a second call the host refuses the module. In
// tests, nil makes room for another handler.
func Handle(f func(Event) Verdict) { hook.Handle("dialog", f) }

func init() { guest.Export(abi.HookDialog, onDialog) }

//go:wasmexport hermes_on_dialog
func onDialog(n int32) int32 {
	return guest.ServeHook(n, &hook, func(v *Verdict) *guest.Decision[abi.DialogVerdict] { return &v.decision })
}
