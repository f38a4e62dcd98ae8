package plugintool

import (
	"errors"

	"github.com/hermes-cdp/hermes-cdp/abi"
	"github.com/hermes-cdp/hermes-cdp/abi/abijson"
	"github.com/hermes-cdp/hermes-cdp/host/fault"
	"github.com/hermes-cdp/hermes-cdp/host/internal/plugin/lifecycle"
	"github.com/hermes-cdp/hermes-cdp/internal/pagetext"
)

// toolsOf returns the tools of a module's manifest, or none if the module does not serve the hook for tool calls.
func toolsOf(m *abi.Manifest, serves bool) []abi.ManifestTool {
	if m == nil || !serves {
		return nil
	}
	return m.Tools
}

// ask calls the module that find holds, and no other module of the hook.
func (c *toolCall) ask() (Result, error) {
	var result abi.ToolResult
	out := c.of.Plugins.Ask(c.op.Context(), lifecycle.Question{
		Hook: abi.HookToolCall, Task: c.task.ID(), Held: c.held, Header: &c.event.Header, Encode: c.event.Append, Decode: result.Unmarshal,
	})
	call := out.Calls[0] // the held module is always asked
	switch {
	case out.Err != nil:
		return Result{}, c.callError(out.Err)
	case out.Fault != "":
		return Result{}, c.fail(fault.ErrToolFailed, nil, "%v: %s", fault.ErrToolFailed, call.Reason)
	case !out.Decided:
		return Result{}, c.fail(fault.ErrToolFailed, nil, "%v: it abstained", fault.ErrToolFailed)
	}
	answer := Result{Text: pagetext.Lines(result.Text), IsError: result.IsError}
	if len(result.Structured) > 0 {
		answer.Structured = abijson.ToMap(result.Structured)
	}
	// State comes from pages, and a store holds what earlier calls have put there.
	if c.untrusted || call.Told {
		answer.Untrusted, answer.Origin = true, c.event.Origin
	}
	return answer, nil
}

// hold keeps the module that is in service under the plugin's name until the call ends.
func (c *toolCall) hold() error {
	held, err := c.of.Plugins.Hold(c.request.Plugin, c.task.ID())
	switch {
	case errors.Is(err, fault.ErrUnknownPlugin):
		return unknownPlugin(c.request.Plugin, c.of.pluginNames())
	case errors.Is(err, fault.ErrOutOfService):
		return c.fail(fault.ErrToolFailed, err, "%v", err)
	case err != nil:
		return err
	}
	c.held = held
	return nil
}

func (t *Tools) pluginNames() []string {
	var names []string
	for _, p := range t.Plugins.Plugins() {
		names = append(names, p.Name)
	}
	return names
}
