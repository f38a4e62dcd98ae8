package upstream

import (
	"errors"

	"github.com/hermes-cdp/hermes-cdp/host/agent"
)

// The kinds of failures of these tools, beside timeout, aborted and bad_arguments.
const (
	// KindServer is of a server that can not be used now, or that ended while it worked.
	KindServer = "mcp_server"
	// KindTool is of a tool that says itself that it failed.
	KindTool = "mcp_tool"
)

// ErrServer says that an MCP server did not do what was asked; see [CallError].
var ErrServer = errors.New("the MCP server did not do what was asked")

// CallError is a call of a tool of an MCP server that came to nothing. It is [ErrServer].
type CallError struct {
	// Server is the name of the server in the configuration.
	Server string
	// Kind is one word for the failure, as [agent.Kind] gives it.
	Kind string
	// Sent says that the server may have done something.
	Sent   bool
	text   string
	result *agent.Result // what the server said, where it said something
}

// Error says what happened and what to do.
func (e *CallError) Error() string { return "the MCP server " + e.Server + " " + e.text }

// Unwrap gives [ErrServer].
func (e *CallError) Unwrap() error { return ErrServer }

// ToolErrorKind is for [agent.Kind].
func (e *CallError) ToolErrorKind() string { return e.Kind }

// ToolErrorResult is what a model is shown; ok is false where the text of the error says it all.
func (e *CallError) ToolErrorResult() (r agent.Result, ok bool) {
	if e.result == nil {
		return agent.Result{}, false
	}
	return *e.result, true
}
