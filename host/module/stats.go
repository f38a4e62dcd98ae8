package module

import "github.com/hermes-cdp/hermes-cdp/host/internal/plugin"

// Stats is what a module did since it was opened.
type Stats = plugin.Stats

// Stats returns the module's counters.
func (m *Module) Stats() Stats { return m.plugin.Stats() }
