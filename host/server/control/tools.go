package control

import (
	"context"

	"github.com/hermes-cdp/hermes-cdp/host"
)

// ToolAPI gives access to the tools that plugins offer.
type ToolAPI interface {
	// Tools lists the tools of all plugins in service, by plugin and name.
	Tools(ctx context.Context) ([]host.PluginTool, error)
	// CallTool calls a tool on a tab of the task; see [host.Task.CallPluginTool].
	CallTool(ctx context.Context, task string, c host.PluginToolCall) (host.PluginToolResult, error)
}

// The paths of the tools of plugins.
const (
	pathTools    = "/v1/tools"
	pathCallTool = "/v1/tools/call"
)

// toolRoutes are the routes of [ToolAPI].
func toolRoutes(api ToolAPI) []route {
	return []route{
		{"GET " + pathTools, "list the tools of plugins", of(api.Tools)},
		{"POST " + pathCallTool, "call a tool of a plugin", ofTaskTaking(api.CallTool)},
	}
}

// Tools implements [API].
func (l *Local) Tools(context.Context) ([]host.PluginTool, error) { return l.Host.PluginTools(), nil }

// CallTool implements [API].
func (l *Local) CallTool(ctx context.Context, task string, c host.PluginToolCall) (host.PluginToolResult, error) {
	return with(ctx, l, task, func(t *host.Task) (host.PluginToolResult, error) { return t.CallPluginTool(ctx, c) })
}

// Tools implements [API].
func (c *Client) Tools(ctx context.Context) ([]host.PluginTool, error) {
	return call[[]host.PluginTool](ctx, c, "GET", pathTools, nil, nil)
}

// CallTool implements [API].
func (c *Client) CallTool(ctx context.Context, task string, r host.PluginToolCall) (host.PluginToolResult, error) {
	return call[host.PluginToolResult](ctx, c, "POST", pathCallTool, queryOf(task), r)
}
