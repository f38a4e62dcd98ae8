// Package console decides on what pages log. Importing it makes the module export hermes_on_console.
package console

import (
	"github.com/hermes-cdp/hermes-cdp/abi"
	"github.com/hermes-cdp/hermes-cdp/sdk/internal/guest"
)

// Event says what a page logged, or the browser about it, before anybody is told. All of it is untrusted. Slices and
// objects are valid until the handler returns; strings can be kept.
type Event = abi.ConsoleEvent

// Verdict is what to do with the message: one of [Keep], [Drop], [Mask], [Abstain] and [Fail]. The zero value abstains.
type Verdict struct {
	decision guest.Decision[abi.ConsoleVerdict]
}

func decide(v abi.ConsoleVerdict) Verdict { return Verdict{guest.Decide(v)} }

// Keep leaves the message as it is, unless another module drops or masks it.
func Keep() Verdict { return decide(abi.ConsoleVerdict{Action: abi.ConsoleActionKeep}) }

// Drop keeps the message from everybody.
func Drop() Verdict { return decide(abi.ConsoleVerdict{Action: abi.ConsoleActionDrop}) }

// Mask replaces the text of the message.
func Mask(text string) Verdict {
	return decide(abi.ConsoleVerdict{Action: abi.ConsoleActionMask, Text: text})
}

// Abstain has no opinion; the message is kept unless another module drops or masks it.
func Abstain() Verdict { return Verdict{} }

// Fail says why the module cannot decide; the host then drops or keeps the message as its operator configured.
func Fail(reason string) Verdict { return Verdict{guest.Fail[abi.ConsoleVerdict](reason)} }

// Because names the rule that decided, for people who ask why.
func (v Verdict) Because(rule string) Verdict {
	v.decision.Verdict.Rule = rule
	return v
}

var hook guest.Hook[Event, Verdict]

// Handle registers the handler; call it in func init, once: after a second call the host refuses the module. In tests,
// nil makes room for another handler.
func Handle(f func(Event) Verdict) { hook.Handle("console", f) }

func init() { guest.Export(abi.HookConsole, onConsole) }

//go:wasmexport hermes_on_console
func onConsole(n int32) int32 {
	return guest.ServeHook(n, &hook, func(v *Verdict) *guest.Decision[abi.ConsoleVerdict] { return &v.decision })
}
