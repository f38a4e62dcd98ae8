package upstream

import (
	"errors"

	"github.com/hermes-cdp/hermes-cdp/host/agent"
)

// The kinds of failures of these tools, in addition to timeout, aborted and bad_arguments.
const (
	// KindServer: the server cannot be used now, or ended during the call.
	KindServer = "mcp_server"
	// KindTool: the tool reported that it failed.
	KindTool = "mcp_tool"
)

// ErrServer says that an MCP server did not do what was asked; see [CallError].
var ErrServer = errors.New("the MCP server did not do what was asked")

// CallError is a failed call of an MCP server's tool. It wraps [ErrServer].
type CallError struct {
	// Server is the name of the server in the configuration.
	Server string
	// Kind is one word for the failure, as returned by [agent.Kind].
	Kind string
	// Sent says that the server may have acted on the call.
	Sent   bool
	text   string
	result *agent.Result // what the server said, if anything
}

// Error says what happened and what to do.
func (e *CallError) Error() string { return "the MCP server " + e.Server + " " + e.text }

// Unwrap returns [ErrServer].
func (e *CallError) Unwrap() error { return ErrServer }

// ToolErrorKind implements the interface that [agent.Kind] looks for.
func (e *CallError) ToolErrorKind() string { return e.Kind }

// ToolErrorResult returns what a model is shown; ok is false if the text of the error is enough.
func (e *CallError) ToolErrorResult() (r agent.Result, ok bool) {
	if e.result == nil {
		return agent.Result{}, false
	}
	return *e.result, true
}
