package lifecycle

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/hermes-cdp/hermes-cdp/abi"
	"github.com/hermes-cdp/hermes-cdp/host/fault"
	"github.com/hermes-cdp/hermes-cdp/host/internal/plugin"
)

// Removal asks for a plugin to be taken out of service.
type Removal struct {
	Trigger string // the cause; empty: api
	Reason  string
	// DropHooks are hooks on which no plugin may decide afterwards, and DropTools tools that agents may lose. A removal
	// that costs others is refused.
	DropHooks []abi.Hook
	DropTools []string
}

// Withdrawn describes a configured plugin that an operator took out of service.
type Withdrawn struct {
	Name    string
	Since   time.Time
	Trigger string
	Reason  string
	Hooks   []abi.Hook // that it served
	Unkept  string     // why the next process would not know of it; empty: it would, or nothing is kept
}

// withdrawal is what is kept of it.
type withdrawal struct {
	Since   time.Time  `json:"since"`
	Trigger string     `json:"trigger"`
	Reason  string     `json:"reason,omitempty"`
	Hooks   []abi.Hook `json:"hooks,omitempty"`

	spec Spec // of the configuration, which can put it back
}

// Install puts a plugin into service that no configuration names, or that was withdrawn. It survives the process, until
// a configuration has a plugin of that name. For the error see [Engine.Add].
func (e *Engine) Install(ctx context.Context, name string, s Spec, trigger, reason string) (Generation, error) {
	return e.add(ctx, name, s, addition{trigger: trigger, reason: reason, kept: true})
}

// Reinstate puts a withdrawn plugin back into service as it is configured. The error is ErrUnknownPlugin if it was not
// withdrawn, or that of [Engine.Add].
func (e *Engine) Reinstate(ctx context.Context, name, trigger, reason string) (Generation, error) {
	e.mu.Lock()
	w, ok := e.withdrawn[name]
	e.mu.Unlock()
	if !ok {
		if _, err := e.member(name); err != nil {
			return Generation{}, err
		}
		return Generation{}, fmt.Errorf("%w: %q; swap its module", fault.ErrKnownPlugin, name)
	}
	return e.add(ctx, name, w.spec, addition{trigger: trigger, reason: reason})
}

// Withdraw takes a plugin out of service. Its module finishes the calls in flight. One that is configured stays out
// until its configuration changes, in later processes too, or until [Engine.Reinstate]. It is refused with a
// [*plugin.LoadError] if it costs what the removal does not name; otherwise the error is that of [Engine.Remove].
func (e *Engine) Withdraw(ctx context.Context, name string, r Removal) (Withdrawn, error) {
	m, _, end, err := e.change(ctx, name)
	if err != nil {
		return Withdrawn{}, err
	}
	defer end()
	if err := e.checkRemoval(m, r); err != nil {
		return Withdrawn{}, err
	}
	trigger := r.Trigger
	if trigger == "" {
		trigger = triggerAPI
	}
	w := withdrawal{Since: e.options.Now(), Trigger: trigger, Reason: r.Reason, Hooks: m.lostHooks(nil, nil), spec: m.settings.Load().spec}
	if m.added == nil {
		m.withdrawn = &w
		e.save(m)
		e.mu.Lock()
		e.withdrawn[name] = w
		e.mu.Unlock()
	}
	e.leave(m, r.Reason)
	out := w.describe(name)
	m.mu.Lock()
	defer m.mu.Unlock()
	out.Unkept = m.unkept
	return out, nil
}

func (w withdrawal) describe(name string) Withdrawn {
	return Withdrawn{Name: name, Since: w.Since, Trigger: w.Trigger, Reason: w.Reason, Hooks: w.Hooks}
}

// Withdrawn lists the configured plugins that are out of service because an operator took them out, by name.
func (e *Engine) Withdrawn() []Withdrawn {
	e.mu.Lock()
	defer e.mu.Unlock()
	list := make([]Withdrawn, 0, len(e.withdrawn))
	for _, name := range slices.Sorted(maps.Keys(e.withdrawn)) {
		list = append(list, e.withdrawn[name].describe(name))
	}
	return list
}

// checkRemoval refuses a removal that costs what it does not name.
func (e *Engine) checkRemoval(m *member, r Removal) error {
	refused := func(step plugin.Step, format string, args ...any) error {
		return &plugin.LoadError{Step: step, Module: m.name, Detail: "it stays in service: " + fmt.Sprintf(format, args...)}
	}
	alone := slices.DeleteFunc(m.lostHooks(nil, r.DropHooks), func(h abi.Hook) bool {
		return h == abi.HookDialogClosed || slices.ContainsFunc(e.members(), func(other *member) bool { return other != m && other.decides(h) })
	})
	if len(alone) > 0 {
		return refused(plugin.StepHooks, "without it no plugin would decide on %s; if that is intended, name it with --drop-hook (drop_hooks)", listHooks(alone))
	}
	if lost := e.lostTools(m, nil, r.DropTools); len(lost) > 0 {
		return refused(plugin.StepTools, "%s", losesTools(lost))
	}
	return nil
}

// decides reports whether the plugin decides on a hook, or the host in its place.
func (m *member) decides(hook abi.Hook) bool {
	s := m.seat.Load()
	return s.serving.serves(hook) || s.outage.serves(hook)
}

// lostTools are the tools that agents have now and that a module with this manifest would not have, except those that
// may be dropped.
func (e *Engine) lostTools(m *member, next *abi.Manifest, drop []string) []string {
	if e.options.AgentTools == nil {
		return nil
	}
	has := map[string]bool{}
	if next != nil {
		for _, t := range next.Tools {
			has[t.Name] = true
		}
	}
	return slices.DeleteFunc(e.options.AgentTools(m.name), func(tool string) bool { return has[tool] || slices.Contains(drop, tool) })
}

func losesTools(lost []string) string {
	list := strings.Join(lost, ", ")
	return fmt.Sprintf("agents have its tools and would lose %s; if that is intended, name each with --drop-tool (drop_tools)", list)
}

// Reconfigure gives the module in service another configuration, once the module has passed every step with it. Of the
// change its source is not used. For the error see [Engine.Swap]; it is ErrOutOfService if no module is in service.
func (e *Engine) Reconfigure(ctx context.Context, name string, c Change) (Generation, error) {
	m, change, end, err := e.change(ctx, name)
	if err != nil {
		return Generation{}, err
	}
	defer end()
	g := m.seat.Load().serving
	if g == nil {
		return Generation{}, fmt.Errorf("plugin %q is %w: no module is there to be configured; swap one in", name, fault.ErrOutOfService)
	}
	a := m.attempt(c)
	made := g.recipe
	a.made = &made
	if t := m.settings.Load().trust; t.asks() && !m.configured(a) {
		return Generation{}, &plugin.LoadError{Step: plugin.StepTrust, Module: name, Detail: otherConfiguration(name, t)}
	}
	if made.encoded, err = encode(a.config); err != nil {
		return Generation{}, &plugin.LoadError{Step: plugin.StepConfig, Module: name, Detail: "the configuration cannot be encoded: " + err.Error(), Err: err}
	}
	made.config = maps.Clone(a.config)
	next, err := e.try(change, m, a)
	if err != nil {
		return Generation{}, err
	}
	m.replace(e, next, "", "")
	return m.describe(next), nil
}

// otherConfiguration says why modules that are verified keep their configuration.
func otherConfiguration(name string, t trust) string {
	return fmt.Sprintf("the plugin is configured with %s: another configuration decides otherwise, however the module is verified; change plugins.%s.config",
		strings.Join(t.keys(), ", "), name)
}

// isWithdrawn reports at a start whether the plugin stays out of service, as an operator wanted beside the same
// configuration.
func (e *Engine) isWithdrawn(m *member, kept record) bool {
	s := m.settings.Load()
	if kept.Withdrawn == nil || s.configWins || kept.Base.Spec != s.digest {
		return false
	}
	w := *kept.Withdrawn
	w.spec = s.spec
	e.mu.Lock()
	e.withdrawn[m.name] = w
	e.mu.Unlock()
	e.log.Warn("a configured plugin is not in service, because an operator removed it; plugin add NAME puts it back", "plugin", m.name,
		"since", w.Since, "reason", w.Reason, "hooks", listHooks(w.Hooks))
	return true
}

// Installed are the specifications of the plugins that operators of earlier processes added.
func (e *Engine) Installed() (map[string]Spec, error) {
	all := map[string]Spec{}
	if e.options.Keep == nil {
		return all, nil
	}
	names, err := e.options.Keep.Names()
	if err != nil {
		return nil, err
	}
	for _, name := range names {
		r, err := e.recorded(name)
		if err != nil {
			e.log.Error("the record of a plugin cannot be used; if an operator added it, it is not in service", "plugin", name, "error", err)
			continue
		}
		if r.Added != nil {
			all[name] = *r.Added
		}
	}
	return all, nil
}
