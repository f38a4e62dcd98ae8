package host

import (
	"context"
)

// AddPlugin adds a plugin to the host, which asks it in its turn from now on. The error is a [*module.LoadError],
// [ErrKnownPlugin] or [ErrClosed]; nothing changed then.
func (h *Host) AddPlugin(ctx context.Context, name string, o PluginOptions) (PluginGeneration, error) {
	g, err := h.plugins.Add(ctx, name, pluginSpec(name, o), "api")
	return PluginGeneration(g), publicLifeError(err)
}

// RemovePlugin takes a plugin out of the host; its module ends what it has begun. A shipped plugin can be removed too. The
// error is [ErrUnknownPlugin] or [ErrClosed].
func (h *Host) RemovePlugin(ctx context.Context, name string) error {
	return publicLifeError(h.plugins.Remove(ctx, name))
}
