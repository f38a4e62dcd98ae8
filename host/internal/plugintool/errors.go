package plugintool

import (
	"errors"
	"fmt"
	"strings"

	"github.com/hermes-cdp/hermes-cdp/abi"
	"github.com/hermes-cdp/hermes-cdp/host/fault"
	"github.com/hermes-cdp/hermes-cdp/host/internal/plugin"
)

// Error says why a tool call gave no result.
type Error struct {
	Plugin, Tool string
	Code         fault.Code
	Fault        string   // the kind of [fault.ErrPluginFault]
	Known        []string // the existing names, if the plugin or tool is unknown
	Cause        error    // nil if there is none
	Text         string
}

func (e *Error) Error() string { return e.Text }

// fail returns an error of the call.
func (c *toolCall) fail(code fault.Code, cause error, format string, args ...any) *Error {
	return &Error{
		Plugin: c.request.Plugin, Tool: c.request.Tool, Code: code, Cause: cause, Text: fmt.Sprintf(format, args...),
	}
}

func unknownPlugin(name string, known []string) error {
	return &Error{
		Plugin: name, Code: fault.ErrUnknownPlugin, Known: known,
		Text: fmt.Sprintf("%v %q; the plugins in service are %s", fault.ErrUnknownPlugin, name, orNone(known)),
	}
}

func (c *toolCall) unknownTool(tools []abi.ManifestTool) error {
	known := make([]string, len(tools))
	for i := range tools {
		known[i] = tools[i].Name
	}
	err := c.fail(fault.ErrUnknownTool, nil, "%v; the plugin's tools are %s", fault.ErrUnknownTool, orNone(known))
	err.Known = known
	return err
}

func (c *toolCall) unknownTab() error {
	return fmt.Errorf("%w: %s is not a tab of the task", fault.ErrUnknownTarget, c.request.TargetID)
}

func orNone(names []string) string {
	if len(names) == 0 {
		return "none"
	}
	return strings.Join(names, ", ")
}

// callError translates the error of a hook call for the caller of the tool.
func (c *toolCall) callError(err error) error {
	var failed *plugin.Fault
	switch {
	case c.op.Context().Err() != nil: // whatever the module reported, its time was cut short
		return c.op.Cause()
	case errors.As(err, &failed):
		out := c.fail(fault.ErrPluginFault, failed, "%v: %s: %s", fault.ErrPluginFault, failed.Kind, failed.Detail)
		out.Fault = failed.Kind.String()
		return out
	case errors.Is(err, plugin.ErrEventTooLarge):
		return c.fail(fault.ErrTooLarge, err, "the arguments are too large: %v; pass less, or raise plugins.%s.limits.event_kb", err, c.request.Plugin)
	case errors.Is(err, plugin.ErrClosed):
		return fault.ErrClosed
	}
	return err
}
