package view

import (
	"github.com/hermes-cdp/hermes-cdp/host/internal/supervise"
)

// RequestCounters count requests while a plugin decides on them. Each redirect counts as a request.
type RequestCounters struct {
	Asked   uint64 `json:"asked"`
	Allowed uint64 `json:"allowed"` // by a plugin, or because all abstained
	Blocked uint64 `json:"blocked"` // by a plugin
	Aborted uint64 `json:"aborted"` // by a plugin
	// FailedOpen and FailedClosed are requests allowed and blocked because a plugin failed to decide.
	FailedOpen   uint64 `json:"failed_open"`
	FailedClosed uint64 `json:"failed_closed"`
}

// RequestCountersOf reads the counters of the state machine.
func RequestCountersOf(n map[string]uint64) RequestCounters {
	return RequestCounters{
		Asked: n[supervise.RequestAsked], Allowed: n[supervise.RequestAllowed], Blocked: n[supervise.RequestBlocked],
		Aborted: n[supervise.RequestAborted], FailedOpen: n[supervise.RequestFailedOpen], FailedClosed: n[supervise.RequestFailedClosed],
	}
}

// RequestVerdicts are what plugins decided on the requests of a task.
type RequestVerdicts struct {
	RequestCounters
	// BlockedBy counts the requests that were blocked or aborted, by plugin.
	BlockedBy map[string]uint64 `json:"blocked_by,omitempty"`
	// Recent has the last 50 of them, oldest first.
	Recent []BlockedRequest `json:"recent_blocked,omitempty"`
}

// BlockedRequest is a request that a plugin, or the host's fallback, blocked or aborted.
type BlockedRequest struct {
	URL      string `json:"url"` // cut at 2 KiB; untrusted text
	Method   string `json:"method"`
	Type     string `json:"type"` // the browser's word in small letters: document, script, image, ...
	FrameID  string `json:"frame_id,omitempty"`
	TargetID string `json:"target_id"` // the tab, or a worker that several tabs share
	// Action is block or abort.
	Action string `json:"action"`
	// At is in Unix seconds with a fraction, as seen by the host.
	At UnixTime `json:"at"`
	// Reason is the plugin's own text, cut at 1 KiB, or what went wrong.
	Reason string `json:"reason"`
	// FailedClosed says that no plugin decided, in which case the host blocks; see Options.RequestFailClosed.
	FailedClosed bool `json:"failed_closed,omitempty"`
	// DecidedBy says which module blocked it or failed to decide.
	DecidedBy Provenance `json:"decided_by,omitzero"`
}

// requestVerdictsOf is nil if no plugin was asked.
func requestVerdictsOf(r supervise.Requests) *RequestVerdicts {
	if len(r.Counts) == 0 {
		return nil
	}
	out := &RequestVerdicts{RequestCounters: RequestCountersOf(r.Counts), BlockedBy: r.Modules}
	for _, b := range r.Recent {
		out.Recent = append(out.Recent, BlockedRequest{
			URL: b.URL, Method: b.Method, Type: b.Type, FrameID: string(b.Frame), TargetID: string(b.Target), Action: b.Action.String(),
			At: UnixTime{b.At}, Reason: b.Reason, FailedClosed: b.FailedClosed, DecidedBy: provenanceOf(b.Decision),
		})
	}
	return out
}
