package control

import (
	"context"
	"fmt"
	"strings"

	"github.com/hermes-cdp/hermes-cdp/host"
)

// SwapPlugin implements [API].
func (c *Client) SwapPlugin(ctx context.Context, name string, change host.PluginChange) (host.PluginGeneration, error) {
	return callPlugin[host.PluginGeneration](ctx, c, "POST", pathSwap, name, change)
}

// RollbackPlugin implements [API].
func (c *Client) RollbackPlugin(ctx context.Context, name, reason string, dropHooks ...string) (host.PluginGeneration, error) {
	return callPlugin[host.PluginGeneration](ctx, c, "POST", pathRollback, name, rollbackRequest{reason, dropHooks})
}

// PluginHistory implements [API].
func (c *Client) PluginHistory(ctx context.Context, name string) ([]host.PluginGeneration, error) {
	return callPlugin[[]host.PluginGeneration](ctx, c, "GET", pathHistory, name, nil)
}

// ShadowPlugin implements [API].
func (c *Client) ShadowPlugin(ctx context.Context, name string, change host.PluginChange) (host.PluginShadow, error) {
	return callPlugin[host.PluginShadow](ctx, c, "POST", pathShadow, name, change)
}

// PluginShadow implements [API].
func (c *Client) PluginShadow(ctx context.Context, name string) (host.PluginShadow, error) {
	return callPlugin[host.PluginShadow](ctx, c, "GET", pathShadow, name, nil)
}

// PromotePlugin implements [API].
func (c *Client) PromotePlugin(ctx context.Context, name, reason string) (host.PluginGeneration, error) {
	return callPlugin[host.PluginGeneration](ctx, c, "POST", pathPromote, name, reasonRequest{reason})
}

// DropPlugin implements [API].
func (c *Client) DropPlugin(ctx context.Context, name string) (host.PluginGeneration, error) {
	return callPlugin[host.PluginGeneration](ctx, c, "POST", pathDrop, name, nil)
}

// callPlugin is call for a path of one plugin.
func callPlugin[Out any](ctx context.Context, c *Client, method, path, name string, in any) (Out, error) {
	if !pluginName.MatchString(name) {
		var none Out
		return none, fmt.Errorf("%w %q: a name has only a-z, 0-9 and -", host.ErrUnknownPlugin, name)
	}
	return call[Out](ctx, c, method, strings.Replace(path, "{name}", name, 1), nil, in)
}
