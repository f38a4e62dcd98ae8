package toolkit

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"slices"

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

// tellDenied adds to one result the documents that tabs were denied since the last one, but for those that the result
// itself tells. Without it, a page that goes on its way a while after a click just becomes the browser's error page.
func (k *Kit) tellDenied(r result.Result) result.Result {
	var list []DeniedInfo
	var lines []string
	told := map[string]int{}
	for _, d := range slices.Backward(k.deniedSince()) {
		if d.FrameID != d.TargetID || d.RewrittenTo != "" {
			continue
		}
		info := DeniedInfo{URL: result.Visible(d.URL), Tab: k.Task.Tab(d.TargetID).Info().Handle, Why: result.Visible(d.Why())}
		if told[info.Why]++; told[info.Why] <= tells(r, info.Why) || slices.Contains(list, info) {
			continue
		}
		who := cmp.Or(info.Tab, "a tab that is closed")
		list, lines = append(list, info), append(lines, fmt.Sprintf("%s did not get %s: %s", who, info.URL, info.Why))
		if len(list) == maxDenied {
			break
		}
	}
	if len(list) == 0 {
		return r
	}
	slices.Reverse(list)
	slices.Reverse(lines)
	return k.withUntrusted(r, "navigations_denied", list, lines)
}

// tells counts how often a result gives a reason where it tells what became of its call, which are the newest denials.
// What a page says elsewhere in it does not count.
func tells(r result.Result, why string) (n int) {
	quoted, _ := json.Marshal(why)
	for _, field := range []string{"error", "navigation_failed", "stayed", "new_tabs", "results"} {
		text, _ := json.Marshal(r.Structured[field])
		n = max(n, bytes.Count(text, bytes.Trim(quoted, `"`))) // an error may be in two of them
	}
	return n
}

// deniedSince returns the denials since the last result that asked for them.
func (k *Kit) deniedSince() []host.DeniedNavigation {
	k.mu.Lock()
	defer k.mu.Unlock()
	s := k.Task.Snapshot()
	since := k.denied
	if k.denied = s.LastDenial(); k.denied < since { // another task than before counts from 1
		since = 0
	}
	return s.DenialsSince(since)
}
