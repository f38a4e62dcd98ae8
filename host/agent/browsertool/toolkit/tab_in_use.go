package toolkit

import (
	"fmt"

	"github.com/hermes-cdp/hermes-cdp/host"
	"github.com/hermes-cdp/hermes-cdp/host/agent/internal/result"
)

// TabInUse is the key "tab_in_use" of a result: the tab in use has closed, and another one has taken its place. The
// first result after that has it, whichever tool was called.
type TabInUse struct {
	// Closed is the handle of the tab that was in use, Tab that of the one in use now; empty if none is left.
	Closed string `json:"closed"`
	Tab    string `json:"tab,omitempty"`
}

// Text is what a model reads.
func (u TabInUse) Text(tools result.Offered) string {
	if u.Tab == "" {
		return fmt.Sprintf("the tab %s is closed, and no other is left", u.Closed) + tools.Advice(": browser_navigate opens one", ": browser_tabs opens one", "")
	}
	return fmt.Sprintf("the tab %s is closed: calls without tab now use %s", u.Closed, u.Tab)
}

// tellTab adds to one result that the tab in use has closed.
func (k *Kit) tellTab(r result.Result, tools result.Offered) result.Result {
	now := tabInUse(k.Task)
	k.mu.Lock()
	last := k.inUse
	k.inUse = now
	k.mu.Unlock()
	if last.TargetID == "" || k.Task.Snapshot().Target(last.TargetID) != nil || !k.alive() {
		return r
	}
	note := TabInUse{Closed: last.Handle, Tab: now.Handle}
	r = r.With("tab_in_use", note)
	r.Text += "\n" + note.Text(tools)
	return r
}

// alive reports whether the task is running. If it is not, there is no point in reporting a closed tab.
func (k *Kit) alive() bool {
	select {
	case <-k.Task.Done():
		return false
	default:
		return true
	}
}

// tabInUse returns the tab that calls without tab act on; zero if there is none.
func tabInUse(t *host.Task) host.TabInfo {
	if info := t.Tab("").Info(); !info.Closed {
		return info
	}
	return host.TabInfo{}
}
