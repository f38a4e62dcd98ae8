// Package look has the tools that read pages and take pictures of them: browser_snapshot, browser_find,
// browser_get_images, browser_extract_text, browser_get, browser_save, browser_wait_for, browser_screenshot,
// browser_vision and browser_highlight.
package look

import (
	"sync"

	"github.com/hermes-cdp/hermes-cdp/host/agent/browsertool/toolkit"
)

// Kit has these tools for one task, a method for each.
type Kit struct {
	*toolkit.Kit

	mu    sync.Mutex
	shown []string // ids of the recent dialogs that the last snapshot had
}

// New returns the tools of the task of a kit.
func New(k *toolkit.Kit) *Kit { return &Kit{Kit: k} }
