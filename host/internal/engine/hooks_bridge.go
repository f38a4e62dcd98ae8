package engine

import (
	"github.com/hermes-cdp/hermes-cdp/abi"
	"github.com/hermes-cdp/hermes-cdp/host/internal/plugin/lifecycle"
	"github.com/hermes-cdp/hermes-cdp/host/internal/supervise"
)

// askBridgeScript asks for a task's bridge script.
func (l *Link) askBridgeScript(e supervise.AskBridgeScript) {
	v := supervise.BridgeVerdict{Token: e.Token}
	l.ask(e.Token, e.Until, lifecycle.Question{
		Hook: abi.HookBridgeScript, Task: e.Task, Header: &e.Event.Header, Encode: e.Event.Append, Decode: v.Script.Unmarshal,
	}, func(out Outcome) supervise.Event { return bridgeVerdict(&v, out) })
}

// askBridgeRequest asks what a pause or a request is about.
func (l *Link) askBridgeRequest(e supervise.AskBridgeRequest) {
	v := supervise.BridgeVerdict{Token: e.Token}
	l.ask(e.Token, e.Until, lifecycle.Question{
		Hook: abi.HookBridgeRequest, Task: e.Task, Header: &e.Event.Header, Encode: e.Event.Append, Decode: v.Request.Unmarshal,
	}, func(out Outcome) supervise.Event { return bridgeVerdict(&v, out) })
}

// askBridgeReply asks for the words of an answer.
func (l *Link) askBridgeReply(e supervise.AskBridgeReply) {
	v := supervise.BridgeVerdict{Token: e.Token}
	l.ask(e.Token, e.Until, lifecycle.Question{
		Hook: abi.HookBridgeReply, Task: e.Task, Header: &e.Event.Header, Encode: e.Event.Append, Decode: v.Reply.Unmarshal,
	}, func(out Outcome) supervise.Event { return bridgeVerdict(&v, out) })
}

func bridgeVerdict(v *supervise.BridgeVerdict, out Outcome) supervise.Event {
	v.Abstained, v.Fault, v.Provenance = !out.Decided && out.Fault == "", out.Fault, out.provenance
	return *v
}
