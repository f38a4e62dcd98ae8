package lifecycle

import (
	"context"
	"errors"
	"fmt"

	"github.com/hermes-cdp/hermes-cdp/abi"
	"github.com/hermes-cdp/hermes-cdp/host/fault"
)

// The triggers of changes that a configuration causes, and of what a start does by itself.
const (
	triggerStart  = "start"
	triggerFile   = "file"
	triggerReload = "reload"

	triggerAPI = "api" // a program that names none

	triggerRestore  = "restore"  // what an operator had put into service
	triggerFallback = "fallback" // because the configured module cannot serve
)

// Start adds a plugin to a new engine. What an operator had put into service beside the same configuration serves
// again; else the configured module does. If that fails and the start is tolerant, the last good module serves, else
// the shipped one, else none: the host decides on every hook that is granted, as after a fault. [Info.Unlike] then says
// why. The error of one that is not tolerant is that of [Engine.Add].
func (e *Engine) Start(ctx context.Context, name string, s Spec, tolerant bool) error {
	m := newMember(name, s)
	change, end, err := e.turn(ctx, m)
	if err != nil {
		return err
	}
	defer end()
	kept, err := e.recall(m)
	if err != nil {
		err = fmt.Errorf("what an earlier process kept cannot be used: %w", err)
	}
	if e.isWithdrawn(m, kept) {
		return nil
	}
	if kept.Added != nil && kept.Base.Spec == m.settings.Load().digest {
		m.added = kept.Added
	}
	g, failed := e.first(change, m, kept)
	err = errors.Join(err, failed)
	switch {
	case change.Err() != nil:
		return errors.Join(err, context.Cause(change))
	case err != nil && !tolerant:
		return err
	case g == nil:
		e.fallBack(change, m, kept, err)
	case err != nil:
		m.note(e, err)
	}
	if !e.enlist(m) {
		e.retire(m)
		return fmt.Errorf("%w: %q; swap its module", fault.ErrKnownPlugin, name)
	}
	e.save(m)
	return nil
}

// first seats what the plugin should begin with. An error beside a generation says what is lost.
func (e *Engine) first(ctx context.Context, m *member, kept record) (*generation, error) {
	var lost error
	if kept.Serving != nil && kept.Base.Chosen {
		switch why := e.outdated(ctx, m, kept); why {
		case "":
			g, err := e.restore(ctx, m, kept)
			if g != nil || ctx.Err() != nil {
				return g, err
			}
			lost = fmt.Errorf("what a command had put into service cannot be restored: %w", err)
		default:
			e.log.Warn("the configuration decides again; a command had put another module into service", "plugin", m.name, "reason", why)
		}
	}
	s := m.settings.Load()
	g, err := e.try(ctx, m, attempt{source: s.source, config: s.config, trigger: triggerStart})
	if err != nil {
		return nil, errors.Join(lost, err)
	}
	e.rememberLast(m, kept, g)
	m.serve(e, g, nil, "", "")
	return g, errors.Join(lost, e.restoreCandidate(ctx, m, kept))
}

// outdated says why a choice does not hold any longer; empty: it does.
func (e *Engine) outdated(ctx context.Context, m *member, kept record) string {
	s := m.settings.Load()
	switch {
	case s.configWins:
		return "keep: config"
	case kept.Base.Spec != s.digest:
		return "its configuration has changed since"
	case s.source.Path == "" || m.added != nil: // nobody watches the file of a plugin that is not configured
		return ""
	}
	bound, err := s.trust.bind(s.source)
	if err != nil {
		return ""
	}
	fetched, err := e.options.Fetch(ctx, m.name, bound, s.trust.sources, s.limits.ModuleBytes)
	if err == nil && hashOf(fetched.Wasm) != kept.Base.SHA256 {
		return "its file has changed since"
	}
	return ""
}

// restore seats what served last, and the candidate beside it.
func (e *Engine) restore(ctx context.Context, m *member, kept record) (*generation, error) {
	made, err := e.remake(m.name, *kept.Serving)
	if err != nil {
		return nil, err
	}
	g, err := e.try(ctx, m, attempt{made: &made, trigger: triggerRestore, reason: lastReason(kept)})
	if err != nil {
		return nil, err
	}
	m.serve(e, g, nil, "", "")
	return g, e.restoreCandidate(ctx, m, kept)
}

// lastReason is why the module that is restored was put into service.
func lastReason(kept record) string {
	for i := len(kept.History) - 1; i >= 0; i-- {
		if line := kept.History[i]; line.SHA256 == kept.Serving.SHA256 && line.State != StateRefused && line.State != StateCandidate {
			return line.Reason
		}
	}
	return ""
}

// restoreCandidate puts the candidate beside the module in service, unless the configuration has changed.
func (e *Engine) restoreCandidate(ctx context.Context, m *member, kept record) error {
	if kept.Candidate == nil || kept.Base.Spec != m.settings.Load().digest || m.settings.Load().configWins {
		return nil
	}
	made, err := e.remake(m.name, kept.Candidate.Module)
	if err == nil {
		var g *generation
		if g, err = e.try(ctx, m, attempt{made: &made, trigger: triggerRestore, drop: kept.Candidate.Drop, dropTools: kept.Candidate.DropTools}); err == nil {
			e.stand(m, g, Change{Tasks: kept.Candidate.Tasks, DropHooks: kept.Candidate.Drop, DropTools: kept.Candidate.DropTools, Canary: kept.Candidate.Canary})
			return nil
		}
	}
	return fmt.Errorf("its candidate cannot be restored: %w", err)
}

// rememberLast lets a rollback lead to what served last.
func (e *Engine) rememberLast(m *member, kept record, next *generation) {
	if kept.Serving == nil {
		return
	}
	if made, err := e.remake(m.name, *kept.Serving); err == nil && !made.same(next.recipe) {
		m.keepRecipe(made)
	}
}

// fallBack seats the first module that can replace the configured one, or none.
func (e *Engine) fallBack(ctx context.Context, m *member, kept record, reason error) {
	s := m.settings.Load()
	attempts := e.lastGood(m, kept)
	if _, ok := e.shipped(m.name, s.hooks); ok && !s.source.shipped() {
		for _, a := range toShipped(s.config) {
			a.failsafe = true
			attempts = append(attempts, a)
		}
	}
	for _, a := range attempts {
		a.trigger, a.reason, a.drop, a.anyTools = triggerFallback, reason.Error(), abi.Hooks(), true
		g, err := e.try(ctx, m, a)
		if err != nil {
			continue
		}
		then := []abi.Hook{}
		if a.made != nil {
			then = kept.Granted
		}
		m.serve(e, g, e.outageOf(m, grantedSince(s.hooks, then, g.module.Info().Hooks), reason), "", "")
		m.note(e, fmt.Errorf("%w; in its place serves the module from %s", reason, g.recipe.source))
		return
	}
	m.seat.Store(&seat{outage: e.outageOf(m, s.hooks, reason)})
	m.note(e, fmt.Errorf("%w; no other module can serve, so the host decides on %s", reason, listHooks(s.hooks)))
}

// lastGood are the attempts with the module that served last: with the current configuration, then with its own.
func (e *Engine) lastGood(m *member, kept record) []attempt {
	if kept.Serving == nil {
		return nil
	}
	own, err := e.remake(m.name, *kept.Serving)
	if err != nil {
		e.log.Error("the last good module of a plugin cannot be used", "plugin", m.name, "error", err)
		return nil
	}
	m.lastGood = &good{own, kept.Granted}
	s := m.settings.Load()
	now := own
	encoded, err := encode(s.config)
	if err != nil || string(encoded) == string(own.encoded) {
		return []attempt{{made: &own}}
	}
	now.config, now.encoded = s.config, encoded
	return []attempt{{made: &now}, {made: &own}}
}

// outageOf leaves hooks to the host; nil if there are none.
func (e *Engine) outageOf(m *member, hooks []abi.Hook, reason error) *outage {
	if len(hooks) == 0 {
		return nil
	}
	return &outage{hooks, fmt.Errorf("plugin %q is %w: %w; correct what is wrong and run hermes-cdp reload, or swap its module", m.name, fault.ErrOutOfService, reason)}
}

// note shows and logs why the plugin is not as it should be.
func (m *member) note(e *Engine, reason error) {
	m.mu.Lock()
	m.unlike = reason.Error()
	m.mu.Unlock()
	e.log.Error("a plugin did not start as it is configured", "plugin", m.name, "error", reason)
}
