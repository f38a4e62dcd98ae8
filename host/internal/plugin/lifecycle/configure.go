package lifecycle

import (
	"context"
	"errors"
	"slices"

	"github.com/hermes-cdp/hermes-cdp/host/internal/plugin"
)

// Configure makes a plugin be as s says, with its priority, limits and capabilities: it adds one that is not there, and
// swaps the module of one that is, as Swap does. A candidate is dropped, as it was loaded with what counts no more. The plugin
// may cease to serve hooks that are not granted any more. On an error nothing changed; it is as of Swap.
func (e *Engine) Configure(ctx context.Context, name string, s Spec, trigger string) (Generation, error) {
	m, change, end, err := e.change(ctx, name)
	if errors.Is(err, ErrUnknownPlugin) {
		return e.Add(ctx, name, s, trigger)
	}
	if err != nil {
		return Generation{}, err
	}
	defer end()
	next := s.settings()
	g, err := e.try(change, m, attempt{source: s.Source, config: s.Config, settings: next, trigger: trigger, drop: ungranted(next.hooks)})
	if err != nil {
		return Generation{}, err
	}
	if seat := m.seat.Load(); seat.candidate != nil {
		e.drop(m, seat, "the plugin was configured anew")
	}
	if weaker := m.settings.Load().trust.weaker(next.trust); len(weaker) > 0 {
		e.log.Warn("modules of a plugin are no longer verified as they were before", "plugin", name, "no_longer_configured", weaker)
	}
	m.settings.Store(next)
	e.reorder()
	m.replace(e, g, "", "")
	return m.describe(g), nil
}

// reorder brings the plugins into the order of their priorities.
func (e *Engine) reorder() {
	e.mu.Lock()
	defer e.mu.Unlock()
	list := slices.Clone(e.members())
	slices.SortStableFunc(list, before)
	e.order.Store(&list)
}

// Limits are those of the modules of a plugin; the defaults for one that is not there.
func (e *Engine) Limits(name string) plugin.Limits { return e.settings(name).limits }

func (e *Engine) settings(name string) *settings {
	for _, m := range e.members() {
		if m.name == name {
			return m.settings.Load()
		}
	}
	return Spec{}.settings()
}
