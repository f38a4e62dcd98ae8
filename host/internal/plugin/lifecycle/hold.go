package lifecycle

import (
	"fmt"

	"github.com/hermes-cdp/hermes-cdp/abi"
	"github.com/hermes-cdp/hermes-cdp/host/fault"
	"github.com/hermes-cdp/hermes-cdp/host/internal/plugin"
)

// Held is the right to ask the module that answers for a plugin, so that all steps of a longer operation use the same
// one. It ends with Release.
type Held struct {
	member     *member
	generation *generation
}

// Hold holds the module that answers for a plugin in a task now. The error is ErrUnknownPlugin, ErrOutOfService or
// [plugin.ErrClosed].
func (e *Engine) Hold(name, task string) (*Held, error) {
	for {
		m, err := e.member(name)
		if err != nil {
			return nil, err
		}
		s := m.seat.Load()
		g := s.serving
		if s.candidate != nil && s.candidate.serves(task) {
			g = s.candidate.generation
		}
		switch {
		case g == nil && s.outage != nil:
			return nil, s.outage.reason
		case g == nil && e.running.Err() != nil:
			return nil, plugin.ErrClosed
		case g == nil:
			return nil, fmt.Errorf("plugin %q is %w: it was removed", name, fault.ErrOutOfService)
		case g.acquire():
			return &Held{m, g}, nil
		}
	}
}

// Manifest is the module's manifest; nil if it has none.
func (h *Held) Manifest() *abi.Manifest { return h.generation.module.Info().Manifest }

// Serves reports whether the module has the hook.
func (h *Held) Serves(hook abi.Hook) bool { return h.generation.serves(hook) }

// Granted reports whether the operator granted the module a capability.
func (h *Held) Granted(c abi.Capability) bool { return h.generation.module.Info().Has(c) }

// Limits are the module's limits.
func (h *Held) Limits() plugin.Limits { return h.generation.module.Limits() }

// SHA256 is the module's hash, in hexadecimal.
func (h *Held) SHA256() string { return h.generation.module.Info().SHA256 }

// Release ends the right. It must be called exactly once.
func (h *Held) Release() { h.generation.release() }
