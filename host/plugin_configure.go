package host

import (
	"context"
)

// ConfigurePlugin makes a plugin be as o says in all that o has: module, configuration, capabilities, limits and priority.
// A name that the host has not is added. One that it has is taken over by a swap, as SwapPlugin makes it, and its candidate
// dropped; empty options give a shipped plugin its own module and defaults back. Trigger is as in [PluginChange]. On an
// error nothing changed; it is a [*module.LoadError] or [ErrClosed].
func (h *Host) ConfigurePlugin(ctx context.Context, name string, o PluginOptions, trigger string) (PluginGeneration, error) {
	g, err := h.plugins.Configure(ctx, name, pluginSpec(name, o), trigger)
	return PluginGeneration(g), publicLifeError(err)
}
