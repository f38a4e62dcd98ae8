package control

import (
	"context"
	"fmt"

	"github.com/hermes-cdp/hermes-cdp/host"
)

// SwapPlugin implements [API].
func (c *Client) SwapPlugin(ctx context.Context, name string, change host.PluginChange) (host.PluginGeneration, error) {
	return callPlugin[host.PluginGeneration](ctx, c, "POST", pathSwap, name, change)
}

// InstallPlugin implements [API].
func (c *Client) InstallPlugin(ctx context.Context, name string, a host.PluginAddition) (host.PluginGeneration, error) {
	return callPlugin[host.PluginGeneration](ctx, c, "POST", pathInstall, name, a)
}

// WithdrawPlugin implements [API].
func (c *Client) WithdrawPlugin(ctx context.Context, name string, r host.PluginRemoval) (host.WithdrawnPlugin, error) {
	return callPlugin[host.WithdrawnPlugin](ctx, c, "POST", pathWithdraw, name, r)
}

// ReconfigurePlugin implements [API].
func (c *Client) ReconfigurePlugin(ctx context.Context, name string, change host.PluginChange) (host.PluginGeneration, error) {
	return callPlugin[host.PluginGeneration](ctx, c, "POST", pathReconfigure, name, change)
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
	return callStore[Out](ctx, c, method, path, name, nil, in)
}

// checkName refuses what would not survive in a path.
func checkName(name string) error {
	if pluginName.MatchString(name) {
		return nil
	}
	return fmt.Errorf("%w %q: a name has only a-z, 0-9 and -", host.ErrUnknownPlugin, name)
}
