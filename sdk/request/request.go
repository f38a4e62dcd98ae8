// Package request decides on requests over the network. Importing it makes the module export hermes_on_request.
package request

import (
	"github.com/hermes-cdp/hermes-cdp/abi"
	"github.com/hermes-cdp/hermes-cdp/sdk/internal/guest"
)

// Event says that a page, frame or worker is about to request something over the network; a redirect is an event of its
// own. Its slices are valid until the handler returns; its strings can be kept. All of it is untrusted: a page can
// request anything.
type Event = abi.RequestEvent

// Verdict is what to do with the request: one of [Allow], [Block], [Abort], [Abstain] and [Fail]. The zero value
// abstains.
type Verdict struct {
	decision guest.Decision[abi.RequestVerdict]
}

func decide(v abi.RequestVerdict) Verdict { return Verdict{guest.Decide(v)} }

// Allow lets the request continue; the task's own rules may still decide on it.
func Allow() Verdict { return decide(abi.RequestVerdict{Action: abi.RequestActionAllow}) }

// Block fails the request as blocked by the client. A frame whose document it was shows the browser's error page. The
// agent is told the reason.
func Block(reason string) Verdict {
	return decide(abi.RequestVerdict{Action: abi.RequestActionBlock, Reason: reason})
}

// Abort fails the request as if somebody had canceled it. A frame whose document it was keeps the one that it has. The
// agent is told the reason.
func Abort(reason string) Verdict {
	return decide(abi.RequestVerdict{Action: abi.RequestActionAbort, Reason: reason})
}

// Abstain leaves the decision to the next module, or to the host, which allows it.
func Abstain() Verdict { return Verdict{} }

// Fail says why the module cannot decide; the host then allows or blocks as its operator configured.
func Fail(reason string) Verdict { return Verdict{guest.Fail[abi.RequestVerdict](reason)} }

// Because names the rule that decided, for people who ask why.
func (v Verdict) Because(rule string) Verdict {
	v.decision.Verdict.Rule = rule
	return v
}

var hook guest.Hook[Event, Verdict]

// Handle registers the handler; call it in func init, once: after a second call the host refuses the module. In
// tests, nil makes room for another handler.
func Handle(f func(Event) Verdict) { hook.Handle("request", f) }

func init() { guest.Export(abi.HookRequest, onRequest) }

//go:wasmexport hermes_on_request
func onRequest(n int32) int32 {
	return guest.ServeHook(n, &hook, func(v *Verdict) *guest.Decision[abi.RequestVerdict] { return &v.decision })
}
