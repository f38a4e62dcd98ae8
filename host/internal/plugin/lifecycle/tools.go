package lifecycle

import (
	"slices"

	"github.com/hermes-cdp/hermes-cdp/abi"
	"github.com/hermes-cdp/hermes-cdp/host/internal/plugin"
)

// verifyTools refuses tools that no one could call, and a module that would take tools from agents.
func (e *Engine) verifyTools(m *member, a attempt, manifest *abi.Manifest, r recipe) error {
	if !a.anyTools {
		if lost := e.lostTools(m, manifest, a.dropTools); len(lost) > 0 {
			return &plugin.LoadError{Step: plugin.StepTools, Module: m.name, SHA256: r.sha256, Detail: losesTools(lost)}
		}
	}
	if manifest == nil || e.options.CheckTools == nil {
		return nil
	}
	if err := e.options.CheckTools(manifest.Tools); err != nil {
		return &plugin.LoadError{Step: plugin.StepManifest, Module: m.name, SHA256: r.sha256, Detail: err.Error(), Err: err}
	}
	return nil
}

// verifyPolicies refuses a module that would leave dialogs of tasks undecided, unless the host goes back to it after
// faults: it is better than what failed.
func (e *Engine) verifyPolicies(m *member, a attempt, manifest *abi.Manifest, r recipe) error {
	if manifest == nil || a.failsafe || e.options.CheckPolicies == nil || !slices.Contains(a.settings.hooks, abi.HookDialog) {
		return nil
	}
	if err := e.options.CheckPolicies(m.name, manifest.DialogPolicies); err != nil {
		return &plugin.LoadError{Step: plugin.StepManifest, Module: m.name, SHA256: r.sha256, Detail: err.Error(), Err: err}
	}
	return nil
}
