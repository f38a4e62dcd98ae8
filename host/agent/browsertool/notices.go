package browsertool

import (
	"strings"

	"github.com/hermes-cdp/hermes-cdp/host/agent/internal/result"
)

// Tell adds to a result what happened in the task besides the call and was not told yet.
func (b *Browser) Tell(r result.Result, tools result.Offered) result.Result {
	return b.tellHandBacks(b.tellNotices(b.tellRestart(b.tellAgain(b.tellTab(b.tellDownloads(b.tellBlocked(r)), tools)), tools)))
}

// tellNotices adds to the key "warnings" of a result what there is to know about the browser of the task and was not
// told yet: why it is a local one, what a rented one lacks, when it ends. Of concurrent calls, it is the first to end.
func (b *Browser) tellNotices(r result.Result) result.Result {
	fresh := b.freshNotices()
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
func (b *Browser) freshNotices() (fresh []string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	now := map[string]int{}
	for _, n := range b.task.Notices() {
		if now[n]++; now[n] > b.noticed[n] {
			fresh = append(fresh, n)
		}
	}
	b.noticed = now
	return fresh
}
