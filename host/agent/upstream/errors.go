package upstream

import (
	"github.com/hermes-cdp/hermes-cdp/host/agent"
	"github.com/hermes-cdp/hermes-cdp/host/fault"
)

// CallError is a failed call of an MCP server's tool. It wraps its Code.
type CallError struct {
	// Server is the name of the server in the configuration.
	Server string
	// Code is [fault.ErrServer], [fault.ErrServerTool], [fault.ErrBadArguments], [fault.ErrTimeout] or [fault.ErrAborted].
	Code fault.Code
	// Sent says that the server may have acted on the call.
	Sent   bool
	text   string
	result *agent.Result // what the server said, if anything
}

// Error says what happened and what to do.
func (e *CallError) Error() string { return "the MCP server " + e.Server + " " + e.text }

// Unwrap returns the code.
func (e *CallError) Unwrap() error { return e.Code }

// ToolErrorResult returns what a model is shown; ok is false if the text of the error is enough.
func (e *CallError) ToolErrorResult() (r agent.Result, ok bool) {
	if e.result == nil {
		return agent.Result{}, false
	}
	return *e.result, true
}
