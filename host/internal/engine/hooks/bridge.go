package hooks

import (
	"time"

	"github.com/hermes-cdp/hermes-cdp/abi"
	"github.com/hermes-cdp/hermes-cdp/host/internal/plugin/lifecycle"
	"github.com/hermes-cdp/hermes-cdp/host/internal/supervise"
)

// BridgeScript asks for the bridge script of a task.
func BridgeScript(e supervise.AskBridgeScript) Ask {
	v := &supervise.BridgeVerdict{Token: e.Token}
	return bridge(v, e.Until, lifecycle.Question{
		Hook: abi.HookBridgeScript, Task: e.Task, Header: &e.Event.Header, Encode: e.Event.Append, Decode: v.Script.Unmarshal,
	})
}

// BridgeRequest asks what a pause or an intercepted request means.
func BridgeRequest(e supervise.AskBridgeRequest) Ask {
	v := &supervise.BridgeVerdict{Token: e.Token}
	return bridge(v, e.Until, lifecycle.Question{
		Hook: abi.HookBridgeRequest, Task: e.Task, Header: &e.Event.Header, Encode: e.Event.Append, Decode: v.Request.Unmarshal,
	})
}

// BridgeReply asks how to encode an answer.
func BridgeReply(e supervise.AskBridgeReply) Ask {
	v := &supervise.BridgeVerdict{Token: e.Token}
	return bridge(v, e.Until, lifecycle.Question{
		Hook: abi.HookBridgeReply, Task: e.Task, Header: &e.Event.Header, Encode: e.Event.Append, Decode: v.Reply.Unmarshal,
	})
}

// bridge is a question of the dialog bridge, whose answer is decoded into v.
func bridge(v *supervise.BridgeVerdict, until time.Time, q lifecycle.Question) Ask {
	return Ask{v.Token, until, q, func(o lifecycle.Outcome) supervise.Event {
		v.Abstained, v.Fault, v.Provenance = abstained(o), o.Fault, Provenance(o)
		return *v
	}}
}
