package host

import (
	"cmp"
	"context"
	"encoding/json"
	"slices"
	"strings"

	"github.com/hermes-cdp/hermes-cdp/abi"
	"github.com/hermes-cdp/hermes-cdp/host/fault"
	"github.com/hermes-cdp/hermes-cdp/host/internal/engine"
	"github.com/hermes-cdp/hermes-cdp/host/internal/plugin/lifecycle"
	"github.com/hermes-cdp/hermes-cdp/internal/pagetext"
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

// noArguments is the input schema of a tool that declares none.
const noArguments = `{"type":"object"}`

// PluginTools lists the tools of all plugins in service, by plugin and name.
func (h *Host) PluginTools() []PluginTool {
	list := []PluginTool{}
	for _, p := range h.plugins.Plugins() {
		for _, t := range toolsOf(p.Manifest, slices.Contains(p.Hooks, abi.HookToolCall)) {
			list = append(list, PluginTool{
				Plugin: p.Name, Name: t.Name, Description: t.Description,
				InputSchema: json.RawMessage(cmp.Or(t.InputSchema, noArguments)), ReadOnly: t.ReadOnly,
			})
		}
	}
	slices.SortFunc(list, func(a, b PluginTool) int {
		return cmp.Or(strings.Compare(a.Plugin, b.Plugin), strings.Compare(a.Name, b.Name))
	})
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
	result, err := t.engine.Operate(ctx, func(op *engine.Operation) (any, error) { return t.callTool(op, c) })
	if err != nil {
		return PluginToolResult{}, err
	}
	return result.(PluginToolResult), nil
}

// toolCall is a tool call in progress.
type toolCall struct {
	task      *Task
	op        *engine.Operation
	request   PluginToolCall
	held      *lifecycle.Held
	tool      *abi.ManifestTool
	arguments abi.Struct
	event     abi.ToolCallEvent
	untrusted bool
}

// callTool runs a call: it finds the tool, checks the arguments, looks at the tab and asks the module.
func (t *Task) callTool(op *engine.Operation, c PluginToolCall) (PluginToolResult, error) {
	call := &toolCall{task: t, op: op, request: c}
	if err := call.find(); err != nil {
		return PluginToolResult{}, err
	}
	defer call.held.Release()
	if err := call.check(); err != nil {
		return PluginToolResult{}, err
	}
	if err := call.look(); err != nil {
		return PluginToolResult{}, err
	}
	return call.ask()
}

// find holds the module that is in service and finds the tool in its manifest.
func (c *toolCall) find() error {
	if err := c.hold(); err != nil {
		return err
	}
	tools := toolsOf(c.held.Manifest(), c.held.Serves(abi.HookToolCall))
	i := slices.IndexFunc(tools, func(t abi.ManifestTool) bool { return t.Name == c.request.Tool })
	if i < 0 {
		c.held.Release()
		return c.unknownTool(tools)
	}
	c.tool = &tools[i]
	return nil
}

// look gathers what the module is told about the tab: from the page itself if the tool has a page script, else from
// what the supervisor knows.
func (c *toolCall) look() error {
	t := c.task
	snapshot := t.Snapshot()
	c.event = abi.ToolCallEvent{
		Header: abi.Header{TaskID: t.ID(), Revision: snapshot.Revision, TaskConfig: t.host.taskConfig(t.ID(), c.request.Plugin)},
		Tool:   c.request.Tool, Arguments: c.arguments,
	}
	if c.tool.PageScript != "" {
		return c.runPageScript()
	}
	tab := snapshot.Page()
	if c.request.TargetID != "" {
		tab = snapshot.Tab(c.request.TargetID)
	}
	switch {
	case tab == nil && c.request.TargetID != "":
		return c.unknownTab()
	case tab == nil: // the task has no tab; the tool may not need one
		return nil
	}
	c.event.TargetID = tab.ID
	if tab.RawFrameTree != nil {
		c.standsOn(tab.RawFrameTree.Top.URL, tab.RawFrameTree.Top.Origin)
	}
	return nil
}

// standsOn records the document that the tool is called on. Only the URL of the empty document is not chosen by a page.
func (c *toolCall) standsOn(url, origin string) {
	c.event.URL, c.event.Origin = pagetext.Shorten(url, abi.MaxFrameURLBytes), origin
	c.untrusted = c.untrusted || url != "" && url != "about:blank"
}
