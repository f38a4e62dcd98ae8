// Package bridge supplies the script that takes dialogs from a page's own functions, reads its requests and builds the
// replies. Importing it makes the module export hermes_bridge_script, hermes_bridge_request and hermes_bridge_reply.
package bridge

import (
	"github.com/hermes-cdp/hermes-cdp/abi"
	"github.com/hermes-cdp/hermes-cdp/sdk/internal/guest"
)

// The events of the three hooks. They are valid until the method that takes them returns.
type (
	// ScriptEvent says that a task wants its script, and has the task's tokens.
	ScriptEvent = abi.BridgeScriptEvent
	// RequestEvent is a pause or a request that may be the script's.
	RequestEvent = abi.BridgeRequestEvent
	// ReplyEvent is the answer to a dialog.
	ReplyEvent = abi.BridgeReplyEvent
)

// What the three hooks give back.
type (
	// Script is the script with the ways in which it reaches the host.
	Script = abi.BridgeScript
	// Request is the dialog that a request asks for, with the token that proves it.
	Request = abi.BridgeRequest
	// Reply answers a request.
	Reply = abi.BridgeReply
)

// Bridge is what a module implements. An error is the reason for which it can not decide, except for [Abstain].
type Bridge interface {
	// Script returns the script of a task.
	Script(ScriptEvent) (Script, error)
	// Request reads a request; [Abstain] says that it is not the script's.
	Request(RequestEvent) (Request, error)
	// Reply builds the reply to a request that Request has read.
	Reply(ReplyEvent) (Reply, error)
}

// Abstain says that a request is not the script's.
const Abstain = guest.Error("not a request of the bridge's script")

// Handle registers the bridge; call it in func init. The last one registered counts.
func Handle(b Bridge) { state.bridge = b }

// state is of the one bridge that a module has, and reused from call to call.
var state struct {
	bridge  Bridge
	script  ScriptEvent
	request RequestEvent
	reply   ReplyEvent
}

func script(n int32) abi.Status {
	return run(n, &state.script, func() (guest.Verdict, error) {
		out, err := state.bridge.Script(state.script)
		return &out, err
	})
}

func request(n int32) abi.Status {
	return run(n, &state.request, func() (guest.Verdict, error) {
		out, err := state.bridge.Request(state.request)
		return &out, err
	})
}

func reply(n int32) abi.Status {
	return run(n, &state.reply, func() (guest.Verdict, error) {
		out, err := state.bridge.Reply(state.reply)
		return &out, err
	})
}

func run(n int32, event interface{ UnmarshalAlias([]byte) error }, decide func() (guest.Verdict, error)) abi.Status {
	if state.bridge == nil {
		return abi.StatusAbstain
	}
	src, ok := guest.Event(n)
	if !ok {
		return abi.StatusError
	}
	if err := event.UnmarshalAlias(src); err != nil {
		return guest.Fail(err.Error())
	}
	verdict, err := decide()
	switch {
	case err == error(Abstain): //nolint:errorlint // nobody wraps it, and errors.Is costs a guest the errors package
		return abi.StatusAbstain
	case err != nil:
		return guest.Fail(err.Error())
	}
	return guest.Decide(verdict)
}
