package lifecycle

import (
	"context"
	"fmt"
	"log/slog"
	"slices"

	"github.com/hermes-cdp/hermes-cdp/abi"
	"github.com/hermes-cdp/hermes-cdp/host/fault"
)

// Swap puts another module into service after it has passed every step. The previous module serves until then, and
// finishes its calls in flight. On an error nothing has changed; it is a [*plugin.LoadError], wraps ErrUnknownPlugin,
// is [plugin.ErrClosed], or is the error of ctx.
func (e *Engine) Swap(ctx context.Context, name string, c Change) (Generation, error) {
	m, change, end, err := e.change(ctx, name)
	if err != nil {
		return Generation{}, err
	}
	defer end()
	g, err := e.try(change, m, m.attempt(c))
	if err != nil {
		return Generation{}, err
	}
	m.replace(e, g, "", "")
	return m.describe(g), nil
}

// attempt is the attempt of a change.
func (m *member) attempt(c Change) attempt {
	a := attempt{source: c.Source, config: c.Config, trigger: c.Trigger, reason: c.Reason, requireSame: c.RequireSame, drop: c.DropHooks, dropTools: c.DropTools}
	if a.trigger == "" {
		a.trigger = triggerAPI
	}
	if a.config == nil {
		a.config = m.config
	}
	return a
}

// serve seats a generation that has passed its steps. The caller has the turn. The trigger is that of the generation,
// unless one is given. The outage, if any, is of hooks that it does not serve.
func (m *member) serve(e *Engine, g *generation, out *outage, trigger, reason string) {
	old := m.seat.Load()
	next := &seat{serving: g, candidate: old.candidate, outage: out}
	if next.candidate != nil && next.candidate.generation == g {
		next.candidate = nil
	}
	left := m.lostHooks(g.module.Info().Hooks, nil)
	m.enterService(g, StateServing, trigger, reason, e.options.Now())
	m.seat.Store(next)
	m.earlier = slices.DeleteFunc(m.earlier, g.recipe.same)
	m.config = g.recipe.config
	m.noteBase(g)
	if old.serving != nil {
		m.leaveService(old.serving)
	}
	line := m.describe(g)
	e.log.Info("plugin in service", "plugin", m.name, "generation", line.Number, "sha256", line.SHA256, "version", line.Version,
		"source", line.Source, "trigger", line.Trigger, "reason", line.Reason)
	if len(line.NewPowers) > 0 {
		e.log.Warn("a plugin has powers that it did not have before", "plugin", m.name, "generation", line.Number, "powers", line.NewPowers)
	}
	e.warnOfLostHooks("a plugin no longer serves every hook that it did", m.name, left)
}

// warnOfLostHooks logs which hooks a plugin has lost at the request of an operator, as an error if no plugin decides on
// them now.
func (e *Engine) warnOfLostHooks(text, name string, left []abi.Hook) {
	if len(left) == 0 {
		return
	}
	level, unserved := slog.LevelWarn, e.unserved(left)
	if len(unserved) > 0 {
		level = slog.LevelError
	}
	e.log.Log(context.Background(), level, text, "plugin", name, "hooks", listHooks(left), "on_which_no_plugin_decides", listHooks(unserved))
}

// replace is serve for a module that an operator chose. The previous one can be restored.
func (m *member) replace(e *Engine, g *generation, trigger, reason string) {
	if old := m.seat.Load().serving; old != nil && !old.fault.condemned() && !old.recipe.same(g.recipe) {
		m.keepRecipe(old.recipe)
	}
	m.count(func(t *Tally) { t.Swaps++ })
	m.serve(e, g, nil, trigger, reason)
	e.save(m)
	e.options.Changed()
}

// Rollback restores the module that served before the current one, with its configuration, after it has passed every
// step again. Another rollback goes further back. The hooks to drop are those of a Change; tools of agents may go, as a
// rollback must not wait. The error is ErrNoGeneration if there is no earlier module, or see Swap.
func (e *Engine) Rollback(ctx context.Context, name, reason string, drop ...abi.Hook) (Generation, error) {
	m, change, end, err := e.change(ctx, name)
	if err != nil {
		return Generation{}, err
	}
	defer end()
	n := len(m.earlier)
	if n == 0 {
		return Generation{}, fmt.Errorf("%w of plugin %q served before this one", fault.ErrNoGeneration, name)
	}
	g, err := e.try(change, m, attempt{made: &m.earlier[n-1], trigger: "rollback", reason: reason, drop: drop, anyTools: true})
	if err != nil {
		return Generation{}, err
	}
	m.count(func(t *Tally) { t.Swaps++ })
	m.serve(e, g, nil, "", "")
	e.save(m)
	e.options.Changed()
	return m.describe(g), nil
}
