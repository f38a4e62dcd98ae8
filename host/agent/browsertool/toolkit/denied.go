package toolkit

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/hermes-cdp/hermes-cdp/host"
	"github.com/hermes-cdp/hermes-cdp/host/agent/internal/result"
)

// DeniedInfo is one of the key "navigations_denied" of a result: a document that a plugin or the network guard did not
// let a tab have since the last result, and that no call was for. Why says who did not, and its reason.
type DeniedInfo struct {
	URL string `json:"url"`
	Tab string `json:"tab,omitempty"`
	Why string `json:"why"`
}

// maxDenied is how many of them a result tells: a page can go somewhere else without end.
const maxDenied = 5

// tellDenied adds to one result the documents that tabs were denied since the last one, unless the result itself says
// so. Without it, a page that goes on its way a while after a click just becomes the browser's error page.
func (k *Kit) tellDenied(r result.Result) result.Result {
	var list []DeniedInfo
	var lines []string
	for _, d := range k.deniedSince() {
		why := result.Visible(d.Why())
		if d.FrameID != d.TargetID || d.RewrittenTo != "" || says(r, why) {
			continue
		}
		info := DeniedInfo{URL: result.Visible(d.URL), Tab: k.Task.Tab(d.TargetID).Info().Handle, Why: why}
		if slices.Contains(list, info) {
			continue
		}
		who := cmp.Or(info.Tab, "a tab that is closed")
		list, lines = append(list, info), append(lines, fmt.Sprintf("%s did not get %s: %s", who, info.URL, why))
	}
	if len(list) == 0 {
		return r
	}
	newest := max(0, len(list)-maxDenied)
	r = r.With("navigations_denied", list[newest:])
	r.Structured["untrusted"] = k.alsoUntrusted(r.Structured["untrusted"], "navigations_denied")
	r.Text += "\n" + result.Fence(strings.Join(lines[newest:], "\n"))
	return r
}

// says reports whether a result has the reason where a call tells what became of it. What a page says elsewhere in it
// does not count.
func says(r result.Result, why string) bool {
	quoted, _ := json.Marshal(why)
	for _, field := range []string{"error", "navigation_failed", "stayed", "new_tabs", "results"} {
		if text, _ := json.Marshal(r.Structured[field]); bytes.Contains(text, bytes.Trim(quoted, `"`)) {
			return true
		}
	}
	return false
}

// deniedSince returns the denials since the last result that asked for them.
func (k *Kit) deniedSince() []host.DeniedNavigation {
	k.mu.Lock()
	defer k.mu.Unlock()
	s := k.Task.Snapshot()
	since := k.denied
	k.denied = s.LastDenial()
	return s.DenialsSince(since)
}
