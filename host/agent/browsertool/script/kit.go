// Package script has the tools that run script and commands, and what the browser logs of them: browser_evaluate,
// browser_console and browser_cdp.
package script

import "github.com/hermes-cdp/hermes-cdp/host/agent/browsertool/toolkit"

// Kit has these tools for one task, a method for each.
type Kit struct {
	*toolkit.Kit
}

// New returns the tools of the task of a kit.
func New(k *toolkit.Kit) *Kit { return &Kit{Kit: k} }
