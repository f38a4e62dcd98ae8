package lifecycle

import (
	"context"
	"errors"
	"slices"

	"github.com/hermes-cdp/hermes-cdp/host/fault"
	"github.com/hermes-cdp/hermes-cdp/host/internal/plugin"
	"github.com/hermes-cdp/hermes-cdp/host/internal/plugin/guestio"
)

// Configure makes a plugin match s, including its priority, limits and capabilities. It adds the plugin if there is
// none of that name, else swaps its module as Swap does. A candidate is dropped, because it was loaded with the old
// settings. The plugin may lose hooks that are no longer granted. On an error nothing has changed; for the error see
// Swap.
func (e *Engine) Configure(ctx context.Context, name string, s Spec, trigger string) (Generation, error) {
	m, change, end, err := e.change(ctx, name)
	if errors.Is(err, fault.ErrUnknownPlugin) {
		return e.Add(ctx, name, s, trigger)
	}
	if err != nil {
		return Generation{}, err
	}
	defer end()
	next := s.settings()
	g, err := e.try(change, m, attempt{source: s.Source, config: s.Config, settings: next, trigger: trigger, drop: ungranted(next.hooks), anyTools: true})
	if err != nil {
		return Generation{}, err
	}
	if seat := m.seat.Load(); seat.candidate != nil {
		e.drop(m, seat, "the plugin was configured again")
	}
	if weaker := m.settings.Load().trust.weaker(next.trust); len(weaker) > 0 {
		e.log.Warn("modules of a plugin are no longer verified as they were before", "plugin", name, "no_longer_configured", weaker)
	}
	m.settings.Store(next)
	m.added = nil
	e.reorder()
	m.replace(e, g, "", "")
	return m.describe(g), nil
}

// reorder sorts the plugins by priority.
func (e *Engine) reorder() {
	e.mu.Lock()
	defer e.mu.Unlock()
	list := slices.Clone(e.members())
	slices.SortStableFunc(list, before)
	e.order.Store(&list)
}

// Limits are the limits of a plugin's modules; the defaults if there is no such plugin.
func (e *Engine) Limits(name string) plugin.Limits { return e.settings(name).limits }

// StoreQuota bounds what a plugin stores.
func (e *Engine) StoreQuota(name string) guestio.Quota {
	s := e.settings(name)
	return guestio.Quota{Bytes: s.limits.KVBytes, TotalBytes: s.limits.KVTotalBytes, TotalKeys: s.limits.KVTotalKeys, Durable: s.spec.Durable}
}

func (e *Engine) settings(name string) *settings {
	for _, m := range e.members() {
		if m.name == name {
			return m.settings.Load()
		}
	}
	return Spec{}.settings()
}
