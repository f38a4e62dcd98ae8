// Package plugintool calls the tools that plugins declare: it finds the tool, checks the arguments, looks at the tab,
// and asks the module.
package plugintool

import (
	"cmp"
	"encoding/json"
	"slices"
	"strings"

	"github.com/hermes-cdp/hermes-cdp/abi"
	"github.com/hermes-cdp/hermes-cdp/host/internal/engine"
	"github.com/hermes-cdp/hermes-cdp/host/internal/plugin/lifecycle"
	"github.com/hermes-cdp/hermes-cdp/host/internal/schema"
	"github.com/hermes-cdp/hermes-cdp/internal/pagetext"
)

// Tools are the tools of a host's plugins.
type Tools struct {
	Plugins *lifecycle.Engine
	// TaskConfig returns a task's own configuration of a plugin.
	TaskConfig func(task, plugin string) abi.Struct

	schemas schemaCache
}

// Tool is a tool that a plugin declares.
type Tool struct {
	Plugin, Name, Description string
	InputSchema               json.RawMessage // a JSON Schema of type object
	ReadOnly                  bool
}

// Request is a call of a tool.
type Request struct {
	Plugin, Tool string
	Arguments    map[string]any
	TargetID     string // the tab; empty: the one in use
}

// Result is the answer of a tool. Text is escaped. Untrusted says that the module was given data that pages control;
// Origin is that of the tab's document.
type Result struct {
	Text       string
	Structured map[string]any
	IsError    bool
	Untrusted  bool
	Origin     string
}

// List lists the tools of all plugins in service, by plugin and name.
func (t *Tools) List() []Tool {
	var list []Tool
	for _, p := range t.Plugins.Plugins() {
		for _, tool := range toolsOf(p.Manifest, slices.Contains(p.Hooks, abi.HookToolCall)) {
			list = append(list, Tool{
				Plugin: p.Name, Name: tool.Name, Description: tool.Description,
				InputSchema: json.RawMessage(cmp.Or(tool.InputSchema, schema.NoArguments)), ReadOnly: tool.ReadOnly,
			})
		}
	}
	slices.SortFunc(list, func(a, b Tool) int {
		return cmp.Or(strings.Compare(a.Plugin, b.Plugin), strings.Compare(a.Name, b.Name))
	})
	return list
}

// Call calls a tool on a tab of the task. What went wrong with the call itself is an [*Error].
func (t *Tools) Call(op *engine.Operation, task *engine.Task, r Request) (Result, error) {
	call := &toolCall{of: t, task: task, op: op, request: r}
	if err := call.find(); err != nil {
		return Result{}, err
	}
	defer call.held.Release()
	if err := call.check(); err != nil {
		return Result{}, err
	}
	if err := call.look(); err != nil {
		return Result{}, err
	}
	return call.ask()
}

// toolCall is a tool call in progress.
type toolCall struct {
	of        *Tools
	task      *engine.Task
	op        *engine.Operation
	request   Request
	held      *lifecycle.Held
	tool      *abi.ManifestTool
	arguments abi.Struct
	event     abi.ToolCallEvent
	untrusted bool
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
	snapshot := c.task.Snapshot()
	c.event = abi.ToolCallEvent{
		Header: abi.Header{TaskID: c.task.ID(), Revision: snapshot.Revision, TaskConfig: c.of.TaskConfig(c.task.ID(), c.request.Plugin)},
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
