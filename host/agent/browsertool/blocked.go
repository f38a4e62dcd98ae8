package browsertool

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/hermes-cdp/hermes-cdp/host/agent/internal/result"
)

// tellBlocked adds to the key "requests_blocked" of a result how many requests each plugin has blocked since the last
// result. Of concurrent calls, it is the first to end.
func (b *Browser) tellBlocked(r result.Result) result.Result {
	now, told := b.blockedSince()
	fresh, all := map[string]any{}, uint64(0)
	var by []string
	for _, plugin := range slices.Sorted(maps.Keys(now)) {
		n := now[plugin] // in another task than before it counts from 0
		if n >= told[plugin] {
			n -= told[plugin]
		}
		if n == 0 {
			continue
		}
		name := cmp.Or(plugin, "the host")
		fresh[name], all = n, all+n
		by = append(by, fmt.Sprintf("%d by %s", n, name))
	}
	if all == 0 {
		return r
	}
	r = r.With("requests_blocked", fresh)
	r.Text += fmt.Sprintf("\nblocked: %s (%s)", result.Number(int(all), "request"), strings.Join(by, ", "))
	return r
}

// blockedSince returns how many requests each plugin has blocked, now and as of the last result that told it.
func (b *Browser) blockedSince() (now, told map[string]uint64) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if verdicts := b.task.Snapshot().RequestVerdicts; verdicts != nil {
		now = verdicts.BlockedBy
	}
	told, b.blocked = b.blocked, now
	return now, told
}
