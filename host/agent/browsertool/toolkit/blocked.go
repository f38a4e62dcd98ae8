package toolkit

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
func (k *Kit) tellBlocked(r result.Result) result.Result {
	now, told := k.blockedSince()
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
func (k *Kit) blockedSince() (now, told map[string]uint64) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if verdicts := k.Task.Snapshot().RequestVerdicts; verdicts != nil {
		now = verdicts.BlockedBy
	}
	told, k.blocked = k.blocked, now
	return now, told
}
