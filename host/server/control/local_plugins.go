package control

import (
	"context"

	"github.com/hermes-cdp/hermes-cdp/host"
)

// PluginHistory implements [API].
func (l *Local) PluginHistory(_ context.Context, name string) ([]host.PluginGeneration, error) {
	return l.Host.PluginHistory(name)
}

// PluginShadow implements [API].
func (l *Local) PluginShadow(_ context.Context, name string) (host.PluginShadow, error) {
	return l.Host.PluginShadow(name)
}
