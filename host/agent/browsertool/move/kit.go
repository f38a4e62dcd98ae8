// Package move has the tools that open other pages: browser_navigate, browser_back, browser_forward, browser_reload and
// browser_tabs.
package move

import "github.com/hermes-cdp/hermes-cdp/host/agent/browsertool/toolkit"

// Kit has these tools for one task, a method for each.
type Kit struct {
	*toolkit.Kit
}

// New returns the tools of the task of a kit.
func New(k *toolkit.Kit) *Kit { return &Kit{Kit: k} }
