package lifecycle

import (
	"github.com/hermes-cdp/hermes-cdp/abi"
	"github.com/hermes-cdp/hermes-cdp/host/internal/plugin"
)

// verifyTools refuses tools that nobody could call.
func (e *Engine) verifyTools(m *member, manifest *abi.Manifest, r recipe) error {
	if manifest == nil || e.options.CheckTools == nil {
		return nil
	}
	if err := e.options.CheckTools(manifest.Tools); err != nil {
		return &plugin.LoadError{Step: plugin.StepManifest, Module: m.name, SHA256: r.sha256, Detail: err.Error(), Err: err}
	}
	return nil
}
