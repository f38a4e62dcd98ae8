// Package bridge supplies the script that replaces a page's dialog functions, reads its requests and builds the
// replies. Importing it makes the module export hermes_bridge_script, hermes_bridge_request and hermes_bridge_reply.
package bridge

import (
	"github.com/hermes-cdp/hermes-cdp/abi"
	"github.com/hermes-cdp/hermes-cdp/sdk/internal/guest"
)

// The events of the three hooks. Their slices are valid until the method that takes them returns; their
// strings can be kept.
type (
	// ScriptEvent says that a task needs its script. It has the task's tokens.
	ScriptEvent = abi.BridgeScriptEvent
	// RequestEvent is a pause or a request that may come from the script.
	RequestEvent = abi.BridgeRequestEvent
	// ReplyEvent is the answer to a dialog.
	ReplyEvent = abi.BridgeReplyEvent
)

// The verdicts of the three hooks.
type (
	// Script is the script, and how it reaches the host.
	Script = abi.BridgeScript
	// Request is the dialog that a request asks for, with the token as proof.
	Request = abi.BridgeRequest
	// Reply answers a request.
	Reply = abi.BridgeReply
)

// Bridge is what a module implements. An error is the reason why it cannot decide, except for [Abstain].
type Bridge interface {
	// Script returns the script of a task.
	Script(ScriptEvent) (Script, error)
	// Request parses a request; [Abstain] says that it is not from the script.
	Request(RequestEvent) (Request, error)
	// Reply builds the reply to a request that Request has parsed.
	Reply(ReplyEvent) (Reply, error)
}

// Abstain says that a request is not from the script.
const Abstain = guest.Abstain

// Handle registers the bridge; call it in func init, once: after a second call the host refuses the module. In tests,
// nil makes room for another bridge.
func Handle(b Bridge) {
	if b != nil && state.bridge != nil {
		guest.Misuse("bridge.Handle was called twice; a module has one bridge")
	}
	state.bridge = b
}

// state belongs to the module's one bridge, and is reused from call to call.
var state struct {
	bridge  Bridge
	script  ScriptEvent
	request RequestEvent
	reply   ReplyEvent
}

func init() {
	guest.Export(abi.HookBridgeScript, onScript)
	guest.Export(abi.HookBridgeRequest, onRequest)
	guest.Export(abi.HookBridgeReply, onReply)
}

//go:wasmexport hermes_bridge_script
func onScript(n int32) int32 {
	return guest.Serve(n, &state.script, func() (*Script, error) { return ask(Bridge.Script, state.script) })
}

//go:wasmexport hermes_bridge_request
func onRequest(n int32) int32 {
	return guest.Serve(n, &state.request, func() (*Request, error) { return ask(Bridge.Request, state.request) })
}

//go:wasmexport hermes_bridge_reply
func onReply(n int32) int32 {
	return guest.Serve(n, &state.reply, func() (*Reply, error) { return ask(Bridge.Reply, state.reply) })
}

func ask[E, V any](method func(Bridge, E) (V, error), event E) (*V, error) {
	if state.bridge == nil {
		return nil, Abstain
	}
	verdict, err := method(state.bridge, event)
	return &verdict, err
}
