package host

import (
	"time"

	"github.com/hermes-cdp/hermes-cdp/host/internal/plugin"
	"github.com/hermes-cdp/hermes-cdp/host/internal/plugin/lifecycle"
	"github.com/hermes-cdp/hermes-cdp/host/internal/supervise"
	"github.com/hermes-cdp/hermes-cdp/host/view"
)

// Counters count what happened since the host was created. JSON field names are those of `hermes-cdp status --json`.
type Counters struct {
	Dialogs  DialogCounters   `json:"dialogs"`
	Bridge   BridgeCounters   `json:"bridge"`
	Evaluate EvaluateCounters `json:"evaluate"`
	Verdicts VerdictCounters  `json:"verdicts"`
	// Navigations are counted while a plugin serves the navigate hook.
	Navigations NavigationCounters `json:"navigations"`
	// Requests are counted while a plugin serves the request hook.
	Requests RequestCounters `json:"requests"`
	Events   EventCounters   `json:"events"`
	// Network is what browsers with a [Network] asked for.
	Network NetworkCounters `json:"network"`
	// Plugins is keyed by plugin name.
	Plugins map[string]PluginCounters `json:"plugins"`
	// Queues is what is waiting now.
	Queues QueueDepths `json:"queues"`
	// Reconnects are connections that were restored, ReconnectAttempts the attempts, and ReconnectFailures the browsers
	// that were given up.
	Reconnects        uint64 `json:"reconnects"`
	ReconnectAttempts uint64 `json:"reconnect_attempts"`
	ReconnectFailures uint64 `json:"reconnect_failures"`
}

// DialogCounters count dialogs.
type DialogCounters struct {
	ByType     map[string]uint64 `json:"by_type"`
	ByPolicy   map[string]uint64 `json:"by_policy"` // the task's policy; "default" for the plugin's own choice
	ByClosedBy map[string]uint64 `json:"by_closed_by"`
	// OpenTimes is how long closed dialogs were open, by closed_by.
	OpenTimes map[string]DialogTimes `json:"open_times"`
	// AnswerRetries are answers that the browser did not accept at first.
	AnswerRetries uint64 `json:"answer_retries"`
	// Unstuck are adopted tabs that were blocked by a dialog opened before their adoption.
	Unstuck uint64 `json:"unstuck"`
}

// DialogTimes is a histogram of how long dialogs were open. Each bucket has those that were open for longer than the
// previous bound.
type DialogTimes struct {
	TotalNS uint64            `json:"total_ns"`
	Within  []DialogTimeCount `json:"within"`
}

// DialogTimeCount is how many dialogs were open for at most UpToMS milliseconds; 0: longer than all other bounds.
type DialogTimeCount struct {
	UpToMS  int64  `json:"up_to_ms,omitempty"`
	Dialogs uint64 `json:"dialogs"`
}

// BridgeCounters count the requests of the dialog bridge.
type BridgeCounters struct {
	// Proven requests became dialogs, by mechanism (pause, request).
	Proven map[string]uint64 `json:"proven"`
	// Refused requests were continued or resumed without a dialog, by reason (forged, unparsed, limited, fault).
	Refused map[string]uint64 `json:"refused"`
}

// EvaluateCounters count evaluations.
type EvaluateCounters struct {
	Calls        uint64            `json:"calls"`
	Errors       map[string]uint64 `json:"errors"` // by kind
	Timeouts     uint64            `json:"timeouts"`
	Terminations uint64            `json:"terminations"`
	Fallbacks    map[string]uint64 `json:"fallbacks"` // by reason
	TotalNS      int64             `json:"total_ns"`
	MaxNS        int64             `json:"max_ns"`
}

// VerdictCounters count the verdicts of plugins.
type VerdictCounters struct {
	Applied uint64 `json:"applied"`
	// Dropped verdicts came too late: the dialog was closed or the tab gone.
	Dropped uint64 `json:"dropped"`
}

// EventCounters count the events that browsers sent.
type EventCounters struct {
	Decoded uint64 `json:"decoded"`
	// Undecodable events were subscribed to, but do not match the protocol.
	Undecodable uint64 `json:"undecodable"`
	// Skipped events have no subscriber and are never decoded.
	Skipped uint64 `json:"skipped"`
	// Dropped events, of the console and of requests, came faster than they could be processed.
	Dropped uint64 `json:"dropped"`
	// Ignored events are of sessions, frames or dialogs that are unknown or no longer known.
	Ignored uint64 `json:"ignored"`
	// ForeignTargets counts events of targets that belong to no task.
	ForeignTargets uint64 `json:"foreign_targets"`
}

// PluginCounters count the calls of one plugin: of all modules that have served under its name.
type PluginCounters struct {
	Calls     uint64            `json:"calls"`
	Decided   uint64            `json:"decided"`
	Abstained uint64            `json:"abstained"`
	Errors    uint64            `json:"errors"` // the module said why it could not decide
	Faults    map[string]uint64 `json:"faults"` // by kind
	Busy      uint64            `json:"busy"`   // no instance was free in time
	Fuel      int64             `json:"fuel"`   // used by all calls, in units
	// TotalTime and MaxTime are the time spent in the module.
	TotalTime time.Duration `json:"total_ns"`
	MaxTime   time.Duration `json:"max_ns"`
	// Durations is a histogram. Each bucket has the calls that took longer than the previous bound; all buckets together
	// are Calls.
	Durations   []PluginDurationCount `json:"durations"`
	Instances   int                   `json:"instances"`
	MemoryBytes int64                 `json:"memory_bytes"`
	// Swaps are modules that came into service after the first, Refused those that failed a step before that, and Returns
	// changes to another module that the host made on its own because of faults.
	Swaps   uint64 `json:"swaps"`
	Refused uint64 `json:"refused"`
	Returns uint64 `json:"returns"`
	// ShadowCompared are calls on which a candidate was asked beside the module in service, ShadowDiffering those on which
	// it decided differently, and ShadowSkipped those on which it was not asked because it was busy.
	ShadowCompared  uint64 `json:"shadow_compared"`
	ShadowDiffering uint64 `json:"shadow_differing"`
	ShadowSkipped   uint64 `json:"shadow_skipped"`
	// StoredBytes and StoredKeys are what the plugin stores for all tasks. StoreRefused counts writes that did not fit,
	// and StoreEvicted tasks whose entries made room for others.
	StoredBytes  int `json:"stored_bytes"`
	StoredKeys   int `json:"stored_keys"`
	StoreRefused int `json:"store_refused"`
	StoreEvicted int `json:"store_evicted"`
}

// PluginDurationCount is how many calls took at most UpTo; 0: longer than all other bounds.
type PluginDurationCount struct {
	UpTo  time.Duration `json:"up_to_ns,omitempty"`
	Calls uint64        `json:"calls"`
}

// QueueDepths is what is waiting at this moment, over all connections.
type QueueDepths struct {
	Inbox    int `json:"inbox"`     // events for the goroutines that own connections
	Outgoing int `json:"outgoing"`  // commands not yet written
	InFlight int `json:"in_flight"` // commands not yet answered by the browser
	Held     int `json:"held"`      // calls waiting until a tab can take them
	Hooks    int `json:"hooks"`     // hook calls in progress, including the wait for an instance
}

// Counters counts everything since the host was created, including tasks and connections that have ended.
func (h *Host) Counters() Counters {
	all, queues := h.group.Totals()
	restored, attempts, failures := h.group.Reconnects()
	s := all.State
	return Counters{
		Dialogs: DialogCounters{
			ByType: s.Dialogs, ByPolicy: s.Policies, ByClosedBy: s.Closed, OpenTimes: openTimes(s), AnswerRetries: s.AnswerRetries, Unstuck: s.Unstuck,
		},
		Bridge:   BridgeCounters{Proven: s.BridgeProven, Refused: s.BridgeRefused},
		Evaluate: EvaluateCounters(h.group.Evaluations()),
		Verdicts: VerdictCounters{Applied: s.VerdictsApplied, Dropped: s.VerdictsDropped},

		Navigations: navigationCounters(s), Network: h.network.Counters(),
		Requests: view.RequestCountersOf(s.Requests),
		Events: EventCounters{
			Decoded: all.Decoded, Undecodable: all.Undecodable, Skipped: all.Skipped, Dropped: all.Dropped, Ignored: s.EventsIgnored, ForeignTargets: s.Foreign,
		},
		Plugins: h.pluginCounters(),
		Queues: QueueDepths{
			Inbox: queues.Inbox, Outgoing: queues.Outgoing, InFlight: queues.InFlight, Held: queues.Held, Hooks: h.plugins.Asking(),
		},
		Reconnects: restored, ReconnectAttempts: attempts, ReconnectFailures: failures,
	}
}

func openTimes(s supervise.Counters) map[string]DialogTimes {
	all := map[string]DialogTimes{}
	for by, total := range s.OpenNanos {
		times := DialogTimes{TotalNS: total}
		for _, bound := range supervise.OpenBounds {
			times.Within = append(times.Within, DialogTimeCount{UpToMS: bound, Dialogs: s.OpenWithin[supervise.OpenKey(by, bound)]})
		}
		all[by] = times
	}
	return all
}

func (h *Host) pluginCounters() map[string]PluginCounters {
	all := map[string]PluginCounters{}
	for _, p := range h.plugins.Plugins() {
		n, stored := publicStats(p), h.store.Usage(p.Name)
		n.StoredBytes, n.StoredKeys, n.StoreRefused, n.StoreEvicted = stored.Bytes, stored.Keys, stored.Refused, stored.Evicted
		all[p.Name] = n
	}
	return all
}

func publicStats(p lifecycle.Info) PluginCounters {
	s := p.Stats
	durations := make([]PluginDurationCount, len(s.Durations))
	for i, n := range s.Durations {
		durations[i] = PluginDurationCount{UpTo: plugin.CallBounds[i], Calls: n}
	}
	return PluginCounters{
		Calls: s.Calls, Decided: s.Decided, Abstained: s.Abstained, Errors: s.Errors, Faults: s.Faults, Busy: s.Busy,
		Fuel: s.TotalFuel, TotalTime: s.TotalTime, MaxTime: s.MaxTime, Durations: durations, Instances: s.InstancesLive, MemoryBytes: s.MemoryBytes,
		Swaps: p.Tally.Swaps, Refused: p.Tally.Refused, Returns: p.Tally.Returns,
		ShadowCompared: p.Tally.Compared, ShadowDiffering: p.Tally.Differing, ShadowSkipped: p.Tally.Skipped,
	}
}

// NavigationCounters count navigations while a plugin decides on them. Each redirect counts as a navigation.
type NavigationCounters struct {
	Asked     uint64 `json:"asked"`
	Allowed   uint64 `json:"allowed"` // by a plugin, or because all abstained
	Denied    uint64 `json:"denied"`  // by a plugin
	Rewritten uint64 `json:"rewritten"`
	// FailedOpen and FailedClosed are navigations allowed and denied because a plugin failed to decide.
	FailedOpen   uint64 `json:"failed_open"`
	FailedClosed uint64 `json:"failed_closed"`
	// Refused documents had a scheme that is not allowed; see [Options.AllowSchemes]. They are counted without a plugin,
	// too.
	Refused uint64 `json:"refused"`
	// Unseen documents arrived without a request; see [Snapshot.NavigationsUnseen].
	Unseen uint64 `json:"unseen"`
}

func navigationCounters(s supervise.Counters) NavigationCounters {
	n := s.Navigations
	return NavigationCounters{
		Asked: n[supervise.NavigationAsked], Allowed: n[supervise.NavigationAllowed], Denied: n[supervise.NavigationDenied],
		Rewritten: n[supervise.NavigationRewritten], FailedOpen: n[supervise.NavigationFailedOpen],
		FailedClosed: n[supervise.NavigationFailedClosed], Unseen: n[supervise.NavigationUnseen], Refused: n[supervise.NavigationRefused],
	}
}
