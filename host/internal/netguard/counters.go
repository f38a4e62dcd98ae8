package netguard

import "sync/atomic"

// Counters count what browsers asked their proxies for. JSON field names are those of `hermes-cdp status --json`.
type Counters struct {
	// Requests are those for http URLs, Tunnels the connections for everything else, and Open the tunnels that are open
	// now.
	Requests uint64 `json:"requests"`
	Tunnels  uint64 `json:"tunnels"`
	Open     int64  `json:"open"`
	// Upstream are the connections, and the requests, that went through another proxy.
	Upstream uint64 `json:"upstream"`
	// Refused were to addresses that may not be reached, Failed were not to be reached.
	Refused uint64 `json:"refused"`
	Failed  uint64 `json:"failed"`
	// Unauthorised had no password: the first of a browser context, and those of other programs.
	Unauthorised uint64 `json:"unauthorised"`
}

// Tally counts for any number of proxies. The zero value is ready.
type Tally struct {
	requests, tunnels, upstream, refused, failed, unauthorised atomic.Uint64
	open                                                       atomic.Int64
}

// Counters returns what was counted until now.
func (t *Tally) Counters() Counters {
	return Counters{
		Requests: t.requests.Load(), Tunnels: t.tunnels.Load(), Open: t.open.Load(), Upstream: t.upstream.Load(),
		Refused: t.refused.Load(), Failed: t.failed.Load(), Unauthorised: t.unauthorised.Load(),
	}
}
