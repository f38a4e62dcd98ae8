package host

import (
	"errors"
	"fmt"
	"strings"

	"github.com/hermes-cdp/hermes-cdp/abi"
	"github.com/hermes-cdp/hermes-cdp/host/internal/plugin"
)

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

// fail returns an error of the call.
func (c *toolCall) fail(code Code, cause error, format string, args ...any) *PluginToolError {
	return &PluginToolError{
		Plugin: c.request.Plugin, Tool: c.request.Tool, Code: code, Cause: cause, text: fmt.Sprintf(format, args...),
	}
}

func unknownPlugin(name string, known []string) error {
	return &PluginToolError{
		Plugin: name, Code: ErrUnknownPlugin, Known: known,
		text: fmt.Sprintf("%v %q; the plugins in service are %s", ErrUnknownPlugin, name, orNone(known)),
	}
}

func (c *toolCall) unknownTool(tools []abi.ManifestTool) error {
	known := make([]string, len(tools))
	for i := range tools {
		known[i] = tools[i].Name
	}
	err := c.fail(ErrUnknownTool, nil, "%v; the plugin's tools are %s", ErrUnknownTool, orNone(known))
	err.Known = known
	return err
}

func (c *toolCall) unknownTab() error {
	return fmt.Errorf("%w: %s is not a tab of the task", ErrUnknownTarget, c.request.TargetID)
}

func orNone(names []string) string {
	if len(names) == 0 {
		return "none"
	}
	return strings.Join(names, ", ")
}

// callError translates the error of a hook call for the caller of the tool.
func (c *toolCall) callError(err error) error {
	var fault *plugin.Fault
	switch {
	case c.op.Context().Err() != nil: // whatever the module reported, its time was cut short
		return c.op.Cause()
	case errors.As(err, &fault):
		out := c.fail(ErrPluginFault, fault, "%v: %s: %s", ErrPluginFault, fault.Kind, fault.Detail)
		out.Fault = fault.Kind.String()
		return out
	case errors.Is(err, plugin.ErrEventTooLarge):
		return c.fail(ErrTooLarge, err, "the arguments are too large: %v; pass less, or raise plugins.%s.limits.event_kb", err, c.request.Plugin)
	case errors.Is(err, plugin.ErrClosed):
		return ErrClosed
	}
	return err
}
