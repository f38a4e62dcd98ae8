package host

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/hermes-cdp/hermes-cdp/host/fault"
	"github.com/hermes-cdp/hermes-cdp/host/internal/engine"
	"github.com/hermes-cdp/hermes-cdp/host/internal/plugintool"
)

// PluginTool is a tool that a plugin offers to agents.
type PluginTool struct {
	Plugin      string          `json:"plugin"`
	Name        string          `json:"name"`
	Description string          `json:"description"`
	InputSchema json.RawMessage `json:"input_schema"` // a JSON Schema of type object
	ReadOnly    bool            `json:"read_only,omitempty"`
}

// PluginToolCall calls a plugin's tool.
type PluginToolCall struct {
	Plugin    string         `json:"plugin"`
	Tool      string         `json:"tool"`
	Arguments map[string]any `json:"arguments,omitempty"`
	// TargetID is the tab; empty: the one in use.
	TargetID string `json:"target_id,omitempty"`
}

// PluginToolResult is the answer of a tool.
type PluginToolResult struct {
	// Text is for a model. What could control a terminal or change the writing direction is escaped; line breaks are kept.
	Text string `json:"text"`
	// Structured is for a program; its texts are as the module returned them.
	Structured map[string]any `json:"structured,omitempty"`
	// IsError says that the tool did not do what was asked; Text says why.
	IsError bool `json:"is_error,omitempty"`
	// Untrusted says that the module was given data that pages control: the result of the tool's page script, the URL of
	// the tab, or what it read of the task's state and of its own store. Origin is that of the tab's document.
	Untrusted bool   `json:"untrusted,omitempty"`
	Origin    string `json:"origin,omitempty"`
}

// PluginTools lists the tools of all plugins in service, by plugin and name.
func (h *Host) PluginTools() []PluginTool {
	list := []PluginTool{}
	for _, t := range h.tools.List() {
		list = append(list, PluginTool(t))
	}
	return list
}

// CallPluginTool calls a plugin's tool on a tab of the task. ctx bounds it.
//
// A tool that declares a page script has it evaluated first, in the plugin's own world in the tab's top frame. It is
// the operator's script, so [Options.EvaluateDisabled] does not forbid it. If a dialog holds the tab meanwhile, the
// error is a [*BlockedError], and [Task.Resume] returns the result once the dialog is answered. A module that is
// swapped out meanwhile still finishes the call.
//
// Errors of the call itself are [*PluginToolError]; others are those of [Tab.Evaluate]. A tool that could not do what
// was asked gives a result with IsError, not an error.
func (t *Task) CallPluginTool(ctx context.Context, c PluginToolCall) (_ PluginToolResult, err error) {
	defer fault.During("call_plugin_tool", &err)
	if t.engine.IsClosed() {
		return PluginToolResult{}, ErrClosed
	}
	result, err := t.engine.Operate(ctx, func(op *engine.Operation) (any, error) {
		r, err := t.host.tools.Call(op, t.engine, plugintool.Request(c))
		return r, publicToolError(err)
	})
	if err != nil {
		return PluginToolResult{}, err
	}
	return PluginToolResult(result.(plugintool.Result)), nil
}

// PluginToolError says why a tool call gave no result. It wraps its Code and its Cause.
type PluginToolError struct {
	Plugin, Tool string
	// Code is one of [ErrUnknownPlugin], [ErrUnknownTool], [ErrBadArguments], [ErrCapabilityDenied], [ErrPageScript],
	// [ErrPluginFault], [ErrToolFailed] and [ErrTooLarge].
	Code Code
	// Fault is the kind of [ErrPluginFault]: trap, deadline, fuel, oversize and so on.
	Fault string
	// Known are the existing names, if the plugin or tool is unknown.
	Known []string
	// Cause is the underlying error; nil if there is none.
	Cause error

	text string
}

// Error names the plugin and the tool, and says what to do.
func (e *PluginToolError) Error() string {
	if e.Code == ErrUnknownPlugin {
		return e.text
	}
	return fmt.Sprintf("plugin %q, tool %q: %s", e.Plugin, e.Tool, e.text)
}

// Unwrap returns the code and the cause.
func (e *PluginToolError) Unwrap() []error {
	if e.Cause == nil {
		return []error{e.Code}
	}
	return []error{e.Code, e.Cause}
}

// publicToolError is the error of a call as its caller gets it.
func publicToolError(err error) error {
	var e *plugintool.Error
	if !errors.As(err, &e) {
		return err
	}
	return &PluginToolError{Plugin: e.Plugin, Tool: e.Tool, Code: e.Code, Fault: e.Fault, Known: e.Known, Cause: e.Cause, text: e.Text}
}
