package lifecycle

import (
	"fmt"
	"slices"
	"strings"

	"github.com/hermes-cdp/hermes-cdp/abi"
	"github.com/hermes-cdp/hermes-cdp/host/internal/plugin"
)

// verifyHooks refuses a module that serves hooks that are not granted, or none that is, and one that would silently
// drop a hook that the plugin serves now.
func (e *Engine) verifyHooks(m *member, a attempt, r recipe, exported []abi.Hook) error {
	refused := func(format string, args ...any) error {
		return &plugin.LoadError{Step: plugin.StepHooks, Module: m.name, SHA256: r.sha256, Detail: fmt.Sprintf(format, args...)}
	}
	granted := a.settings.hooks
	served := slices.DeleteFunc(slices.Clone(exported), func(h abi.Hook) bool { return !slices.Contains(granted, h) })
	switch {
	case len(granted) == 0:
		return refused("plugins.%s.hooks is missing, and a module serves only the hooks that are granted to it; this one serves %s: "+
			"write hooks: [%[2]s] once you have reviewed it", m.name, listHooks(exported))
	case len(served) == 0:
		return refused("it serves %s, and plugins.%s.hooks grants none of these: %s", listHooks(exported), m.name, listHooks(granted))
	case len(served) < len(exported) && !a.settings.ignoreExtra:
		return refused("it serves %s, and plugins.%s.hooks grants only %s; write hooks: [%s] once you have reviewed it, or extra_hooks: ignore "+
			"to have it serve only what is granted", listHooks(exported), m.name, listHooks(granted), listHooks(append(slices.Clone(granted), exported...)))
	}
	if left := m.lostHooks(served, a.drop); len(left) > 0 {
		return refused("%s", leaves(left))
	}
	return nil
}

// lostHooks are the hooks that the plugin serves now, or leaves to the host, and that a module would not serve, except
// those that may be dropped.
func (m *member) lostHooks(served, drop []abi.Hook) []abi.Hook {
	var has []abi.Hook
	s := m.seat.Load()
	if s.serving != nil {
		has = append(has, s.serving.module.Info().Hooks...)
	}
	if s.outage != nil {
		has = append(has, s.outage.hooks...)
	}
	return slices.DeleteFunc(has, func(h abi.Hook) bool {
		return slices.Contains(served, h) || slices.Contains(drop, h)
	})
}

func leaves(left []abi.Hook) string {
	return fmt.Sprintf("it does not serve %s, which the plugin serves now, so the plugin would no longer serve it; if that is intended, "+
		"name it with --drop-hook (drop_hooks), or remove it from the plugin's hooks and load the configuration again", listHooks(left))
}

// listHooks names hooks as the configuration does.
func listHooks(hooks []abi.Hook) string {
	var list []string
	for _, h := range hooks {
		if !slices.Contains(list, h.Grant()) {
			list = append(list, h.Grant())
		}
	}
	return strings.Join(list, ", ")
}

// ungranted lists the hooks that are not granted.
func ungranted(granted []abi.Hook) []abi.Hook {
	return slices.DeleteFunc(abi.Hooks(), func(h abi.Hook) bool { return slices.Contains(granted, h) })
}

// newPowers lists the powers of a module that the one in service does not have. A new plugin has none, because it was
// configured.
func (m *member) newPowers(g *generation) []string {
	var gained []string
	had := []plugin.Power{}
	s := m.seat.Load()
	if s.serving == nil && s.outage == nil {
		return nil
	}
	if s.serving != nil {
		had = s.serving.module.Info().Powers()
	}
	for _, p := range g.module.Info().Powers() {
		if !slices.Contains(had, p) {
			gained = append(gained, string(p))
		}
	}
	return gained
}

// unserved lists those of some hooks that no plugin serves or leaves to the host, except the one that decides nothing.
func (e *Engine) unserved(hooks []abi.Hook) []abi.Hook {
	return slices.DeleteFunc(slices.Clone(hooks), func(h abi.Hook) bool { return h == abi.HookDialogClosed || e.Serves(h) })
}
