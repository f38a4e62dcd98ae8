package control

import (
	"context"

	"github.com/hermes-cdp/hermes-cdp/host"
)

// SwapPlugin implements [API].
func (l *Local) SwapPlugin(ctx context.Context, name string, c host.PluginChange) (host.PluginGeneration, error) {
	return l.Host.SwapPlugin(ctx, name, c)
}

// RollbackPlugin implements [API].
func (l *Local) RollbackPlugin(ctx context.Context, name, reason string, dropHooks ...string) (host.PluginGeneration, error) {
	return l.Host.RollbackPlugin(ctx, name, reason, dropHooks...)
}

// PluginHistory implements [API].
func (l *Local) PluginHistory(_ context.Context, name string) ([]host.PluginGeneration, error) {
	return l.Host.PluginHistory(name)
}

// ShadowPlugin implements [API].
func (l *Local) ShadowPlugin(ctx context.Context, name string, c host.PluginChange) (host.PluginShadow, error) {
	return l.Host.ShadowPlugin(ctx, name, c)
}

// PluginShadow implements [API].
func (l *Local) PluginShadow(_ context.Context, name string) (host.PluginShadow, error) {
	return l.Host.PluginShadow(name)
}

// PromotePlugin implements [API].
func (l *Local) PromotePlugin(ctx context.Context, name, reason string) (host.PluginGeneration, error) {
	return l.Host.PromotePlugin(ctx, name, reason)
}

// DropPlugin implements [API].
func (l *Local) DropPlugin(ctx context.Context, name string) (host.PluginGeneration, error) {
	return l.Host.DropPlugin(ctx, name)
}
