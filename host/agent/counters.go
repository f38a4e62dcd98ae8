package agent

import (
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/hermes-cdp/hermes-cdp/host/agent/internal/result"
)

// ToolCounters count the calls of one tool.
type ToolCounters struct {
	Calls uint64 `json:"calls"`
	// Failures are calls that did not do what was asked, by kind; see [Kind]. For browser_interact it is the kind of the
	// first action that failed.
	Failures map[string]uint64 `json:"failures,omitempty"`
	// Timeouts are calls, and actions of browser_interact, that timed out.
	Timeouts uint64 `json:"timeouts"`
	// Terminations are calls, and actions of browser_interact, whose script was terminated because they timed out or were
	// canceled: an expression, or what an action set off in the page.
	Terminations uint64 `json:"terminations"`
	// Fallbacks are calls whose answer is less than what was asked for, by reason; see [FallbackLastKnown].
	Fallbacks map[string]uint64 `json:"fallbacks,omitempty"`
	// TotalNS and MaxNS are durations in nanoseconds.
	TotalNS int64 `json:"total_ns"`
	MaxNS   int64 `json:"max_ns"`
	// Durations is a histogram. Each bucket has the calls that took longer than the previous bound; all buckets together
	// are Calls.
	Durations []DurationCount `json:"durations,omitempty"`
}

// DurationCount is how many calls took at most UpToMS milliseconds; 0: longer than all other bounds.
type DurationCount struct {
	UpToMS int64  `json:"up_to_ms,omitempty"`
	Calls  uint64 `json:"calls"`
}

// durationBounds are the bounds of [ToolCounters.Durations] in milliseconds; 0 is no bound.
var durationBounds = []int64{10, 100, 1000, 10_000, 60_000, 0}

// counters are keyed by tool name. The zero value is ready to use.
type counters struct {
	mu sync.Mutex
	by map[string]*ToolCounters
}

func (c *counters) ended(tool string, took time.Duration, value any, err error) {
	add := result.CountError(err)
	if v, ok := value.(result.Counter); ok && err == nil {
		add = v.Counted()
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	n := c.of(tool)
	n.Calls++
	n.TotalNS += int64(took)
	n.MaxNS = max(n.MaxNS, int64(took))
	for i, bound := range durationBounds {
		if bound == 0 || took <= time.Duration(bound)*time.Millisecond {
			n.Durations[i].Calls++
			break
		}
	}
	if add.Failure != "" {
		n.Failures[string(add.Failure)]++
	}
	n.Timeouts += add.Timeouts
	n.Terminations += add.Terminations
	for _, reason := range add.Fallbacks {
		n.Fallbacks[reason]++
	}
}

func (c *counters) of(tool string) *ToolCounters {
	if c.by == nil {
		c.by = map[string]*ToolCounters{}
	}
	n := c.by[tool]
	if n == nil {
		n = &ToolCounters{Failures: map[string]uint64{}, Fallbacks: map[string]uint64{}}
		for _, bound := range durationBounds {
			n.Durations = append(n.Durations, DurationCount{UpToMS: bound})
		}
		c.by[tool] = n
	}
	return n
}

// all returns a copy.
func (c *counters) all() map[string]ToolCounters {
	c.mu.Lock()
	defer c.mu.Unlock()
	out := make(map[string]ToolCounters, len(c.by))
	for name, n := range c.by {
		copied := *n
		copied.Failures, copied.Fallbacks, copied.Durations = maps.Clone(n.Failures), maps.Clone(n.Fallbacks), slices.Clone(n.Durations)
		out[name] = copied
	}
	return out
}
