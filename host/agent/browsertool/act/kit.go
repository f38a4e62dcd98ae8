// Package act has the tools that act on pages as a person does: browser_click, browser_dblclick, browser_hover,
// browser_type, browser_press, browser_scroll, browser_select, browser_check, browser_drag, browser_upload,
// browser_download, browser_mouse and browser_dialog.
package act

import "github.com/hermes-cdp/hermes-cdp/host/agent/browsertool/toolkit"

// Kit has these tools for one task, a method for each.
type Kit struct {
	*toolkit.Kit
}

// New returns the tools of the task of a kit.
func New(k *toolkit.Kit) *Kit { return &Kit{Kit: k} }
