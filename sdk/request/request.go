// Package request decides on requests over the network. Importing it makes the module export hermes_on_request.
package request

import (
	"github.com/hermes-cdp/hermes-cdp/abi"
	"github.com/hermes-cdp/hermes-cdp/sdk/internal/guest"
)

// Event says that a page, frame or worker is about to request something over the network; a redirect is an event of its
// own. Its strings and slices are valid until the handler returns. All of it is untrusted: a page can request anything.
type Event = abi.RequestEvent

// Verdict is what to do with the request: one of [Allow], [Block], [Abort], [Abstain] and [Fail]. The zero value
// abstains.
type Verdict struct {
	verdict abi.RequestVerdict
	err     error
}

// Allow lets the request continue; the task's own rules may still decide on it.
func Allow() Verdict { return Verdict{verdict: abi.RequestVerdict{Action: abi.RequestActionAllow}} }

// Block fails the request as blocked by the client. A frame whose document it was shows the browser's error page. The
// agent is told the reason.
func Block(reason string) Verdict {
	return Verdict{verdict: abi.RequestVerdict{Action: abi.RequestActionBlock, Reason: reason}}
}

// Abort fails the request as if somebody had canceled it. A frame whose document it was keeps the one that it has. The
// agent is told the reason.
func Abort(reason string) Verdict {
	return Verdict{verdict: abi.RequestVerdict{Action: abi.RequestActionAbort, Reason: reason}}
}

// Abstain leaves the decision to the next module, or to the host, which allows it.
func Abstain() Verdict { return Verdict{} }

// Fail says why the module cannot decide; the host then allows or blocks as its operator configured.
func Fail(reason string) Verdict { return Verdict{err: guest.Error(reason)} }

// Because names the rule that decided, for people who ask why.
func (v Verdict) Because(rule string) Verdict {
	v.verdict.Rule = rule
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

func init() { guest.Export(abi.HookRequest, onRequest) }

//go:wasmexport hermes_on_request
func onRequest(n int32) int32 {
	return guest.Serve(n, &state.event, func() (*abi.RequestVerdict, error) {
		if state.handler == nil {
			return nil, guest.Abstain
		}
		v := &state.verdict
		*v = state.handler(state.event)
		if v.err == nil && v.verdict.Action == abi.RequestActionUnspecified {
			return nil, guest.Abstain
		}
		return &v.verdict, v.err
	})
}
