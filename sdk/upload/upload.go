// Package upload decides on files that pages are about to get. Importing it makes the module export hermes_on_upload.
package upload

import (
	"github.com/hermes-cdp/hermes-cdp/abi"
	"github.com/hermes-cdp/hermes-cdp/sdk/internal/guest"
)

// Event says that a page is about to get a file of this machine. Of several there is an event for each. Slices and
// objects are valid until the handler returns; strings can be kept.
type Event = abi.FileEvent

// Verdict is what to do with the file: one of [Allow], [Deny], [Abstain] and [Fail]. The zero value abstains.
type Verdict struct {
	decision guest.Decision[abi.FileVerdict]
}

func decide(v abi.FileVerdict) Verdict { return Verdict{guest.Decide(v)} }

// Allow gives the page the file, unless another module denies it or one that goes with it.
func Allow() Verdict { return decide(abi.FileVerdict{Action: abi.FileActionAllow}) }

// Deny gives the page none of the files of the call. The agent is told the reason.
func Deny(reason string) Verdict {
	return decide(abi.FileVerdict{Action: abi.FileActionDeny, Reason: reason})
}

// Abstain has no opinion; the page gets the file unless another module denies it.
func Abstain() Verdict { return Verdict{} }

// Fail says why the module cannot decide; the host then denies or allows as its operator configured.
func Fail(reason string) Verdict { return Verdict{guest.Fail[abi.FileVerdict](reason)} }

// Because names the rule that decided, for people who ask why.
func (v Verdict) Because(rule string) Verdict {
	v.decision.Verdict.Rule = rule
	return v
}

var hook guest.Hook[Event, Verdict]

// Handle registers the handler; call it in func init, once: after a second call the host refuses the module. In tests,
// nil makes room for another handler.
func Handle(f func(Event) Verdict) { hook.Handle("upload", f) }

func init() { guest.Export(abi.HookUpload, onUpload) }

//go:wasmexport hermes_on_upload
func onUpload(n int32) int32 {
	return guest.ServeHook(n, &hook, func(v *Verdict) *guest.Decision[abi.FileVerdict] { return &v.decision })
}
