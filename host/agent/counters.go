package agent

import (
	"cmp"
	"errors"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/hermes-cdp/hermes-cdp/host"
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

// The reasons of [ToolCounters.Fallbacks].
const (
	// FallbackLastKnown: the last known page, as a dialog holds it or it does not answer.
	FallbackLastKnown = "last_known_page"
	// FallbackFrames: the page without frames that do not answer or cannot be read.
	FallbackFrames = "frames_left_out"
)

// counted is what a call adds to the counters.
type counted struct {
	failure                host.Code // empty: the tool did what was asked
	timeouts, terminations uint64
	fallbacks              []string // reasons
}

// counter is a result that adds to counters other than Calls.
type counter interface{ counted() counted }

// countError returns what the error of a call adds.
func countError(err error) counted {
	if err == nil {
		return counted{}
	}
	c := counted{failure: host.CodeOf(err)}
	if c.failure == host.ErrTimeout {
		c.timeouts = 1
	}
	var stopped *host.StoppedError
	if errors.As(err, &stopped) && (stopped.Terminated || stopped.Ending) {
		c.terminations = 1
	}
	return c
}

// countFallbacks returns what a reading adds.
func countFallbacks(stale, left bool) counted {
	var c counted
	if stale {
		c.fallbacks = append(c.fallbacks, FallbackLastKnown)
	}
	if left {
		c.fallbacks = append(c.fallbacks, FallbackFrames)
	}
	return c
}

// counted is for results made elsewhere: by a plugin, an embedder or another server.
func (r Result) counted() counted {
	if !r.IsError {
		return counted{}
	}
	code, _ := r.Structured["code"].(string)
	kind, _ := r.Structured["kind"].(string)
	return counted{failure: host.Code(cmp.Or(code, kind, string(host.ErrToolFailed)))}
}

// counters are keyed by tool name. The zero value is ready to use.
type counters struct {
	mu sync.Mutex
	by map[string]*ToolCounters
}

func (c *counters) ended(tool string, took time.Duration, value any, err error) {
	add := countError(err)
	if v, ok := value.(counter); ok && err == nil {
		add = v.counted()
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
	if add.failure != "" {
		n.Failures[string(add.failure)]++
	}
	n.Timeouts += add.timeouts
	n.Terminations += add.terminations
	for _, reason := range add.fallbacks {
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
