package toolkit

import (
	"strings"

	"github.com/hermes-cdp/hermes-cdp/host/agent/internal/result"
)

// Tell adds to a result what happened in the task besides the call and was not told yet.
func (k *Kit) Tell(r result.Result, tools result.Offered) result.Result {
	return k.tellHandBacks(k.tellNotices(k.tellRestart(k.tellAgain(k.tellTab(k.tellSignIns(k.tellDownloads(k.tellDenied(k.tellBlocked(r))), tools), tools)), tools)))
}

// tellNotices adds to the key "warnings" of a result what there is to know about the browser of the task and was not
// told yet: why it is a local one, what a rented one lacks, when it ends. Of concurrent calls, it is the first to end.
func (k *Kit) tellNotices(r result.Result) result.Result {
	fresh := k.freshNotices()
	if len(fresh) == 0 {
		return r
	}
	warnings := make([]any, 0, len(fresh))
	lines := make([]string, 0, len(fresh)+1)
	for _, n := range fresh {
		warnings, lines = append(warnings, result.Visible(n)), append(lines, "warning: "+result.Visible(n))
	}
	own, _ := r.Structured["warnings"].([]any)
	r = r.With("warnings", append(warnings, own...))
	r.Text = strings.Join(append(lines, r.Text), "\n")
	return r
}

// freshNotices returns the notices that were not told yet, each as often as it is there.
func (k *Kit) freshNotices() (fresh []string) {
	k.mu.Lock()
	defer k.mu.Unlock()
	now := map[string]int{}
	for _, n := range k.Task.Notices() {
		if now[n]++; now[n] > k.noticed[n] {
			fresh = append(fresh, n)
		}
	}
	k.noticed = now
	return fresh
}
