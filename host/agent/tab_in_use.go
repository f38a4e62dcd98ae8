package agent

import (
	"fmt"
	"maps"

	"github.com/hermes-cdp/hermes-cdp/host"
)

// TabInUse is the key "tab_in_use" of a result: the tab that calls without tab act on has closed, and another one follows.
// The first result after that has it, whatever tool was called.
type TabInUse struct {
	// Closed is the handle of the tab that was in use; Tab that of the one that is now, empty where none is left.
	Closed string `json:"closed"`
	Tab    string `json:"tab,omitempty"`
}

// text is what a model reads of it.
func (u TabInUse) text() string {
	if u.Tab == "" {
		return fmt.Sprintf("the tab %s is closed, and no other is left: browser_tabs opens one", u.Closed)
	}
	return fmt.Sprintf("the tab %s is closed: calls without tab use %s now", u.Closed, u.Tab)
}

// tellTab adds to a result, once, that the tab in use has closed.
func (b *Browser) tellTab(r Result) Result {
	now := tabInUse(b.task)
	b.mu.Lock()
	last := b.inUse
	b.inUse = now
	b.mu.Unlock()
	if last.TargetID == "" || b.task.Snapshot().Target(last.TargetID) != nil || !b.alive() {
		return r
	}
	note := TabInUse{Closed: last.Handle, Tab: now.Handle}
	r.Structured = maps.Clone(r.Structured) // it may be an embedder's own
	if r.Structured == nil {
		r.Structured = map[string]any{}
	}
	r.Structured["tab_in_use"] = note
	r.Text += "\n" + note.text()
	return r
}

// alive tells whether the task goes on: else that its tabs are gone is no news.
func (b *Browser) alive() bool {
	select {
	case <-b.task.Done():
		return false
	default:
		return true
	}
}

// tabInUse is the tab that calls without one act on; zero where there is none.
func tabInUse(t *host.Task) host.Tab {
	for _, tab := range t.Tabs() {
		if tab.InUse {
			return tab
		}
	}
	return host.Tab{}
}
