// Package navigate decides on navigations. Importing it makes the module export hermes_on_navigate.
package navigate

import (
	"github.com/hermes-cdp/hermes-cdp/abi"
	"github.com/hermes-cdp/hermes-cdp/sdk/internal/guest"
)

// Event says that the document of a frame is about to be requested over the network; a redirect is an event of its own.
// Its slices are valid until the handler returns; its strings can be kept. URLs are untrusted: a page can navigate
// anywhere.
type Event = abi.NavigateEvent

// Verdict is what to do with the navigation: one of [Allow], [Deny], [Rewrite], [Abstain] and [Fail]. The zero value
// abstains.
type Verdict struct {
	decision guest.Decision[abi.NavigateVerdict]
}

func decide(v abi.NavigateVerdict) Verdict { return Verdict{guest.Decide(v)} }

// Allow lets the navigation continue.
func Allow() Verdict { return decide(abi.NavigateVerdict{Action: abi.NavigateActionAllow}) }

// Deny fails the request, and the frame shows the browser's error page. The agent is told the reason.
func Deny(reason string) Verdict {
	return decide(abi.NavigateVerdict{Action: abi.NavigateActionDeny, Reason: reason})
}

// Rewrite sends the browser to another URL, which must be absolute and http or https; to the host any other is a fault.
// The new request is an event of its own, so do not rewrite a URL that is already right.
func Rewrite(url string) Verdict {
	return decide(abi.NavigateVerdict{Action: abi.NavigateActionRewrite, URL: url})
}

// Abstain leaves the decision to the next module, or to the host, which allows it.
func Abstain() Verdict { return Verdict{} }

// Fail says why the module cannot decide; the host then allows or denies as its operator configured.
func Fail(reason string) Verdict { return Verdict{guest.Fail[abi.NavigateVerdict](reason)} }

// Because names the rule that decided, for people who ask why.
func (v Verdict) Because(rule string) Verdict {
	v.decision.Verdict.Rule = rule
	return v
}

var hook guest.Hook[Event, Verdict]

// Handle registers the handler; call it in func init, once: after a second call the host refuses the module. In
// tests, nil makes room for another handler.
func Handle(f func(Event) Verdict) { hook.Handle("navigate", f) }

func init() { guest.Export(abi.HookNavigate, onNavigate) }

//go:wasmexport hermes_on_navigate
func onNavigate(n int32) int32 {
	return guest.ServeHook(n, &hook, func(v *Verdict) *guest.Decision[abi.NavigateVerdict] { return &v.decision })
}
