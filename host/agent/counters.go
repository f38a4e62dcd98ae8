package agent

import (
	"errors"
	"maps"
	"sync"
	"time"

	"github.com/hermes-cdp/hermes-cdp/host"
)

// ToolCounters count the calls of one tool.
type ToolCounters struct {
	Calls uint64 `json:"calls"`
	// Failures are calls that did not do what was asked, by kind; see [Kind].
	Failures map[string]uint64 `json:"failures,omitempty"`
	Timeouts uint64            `json:"timeouts"`
	// Terminations are calls whose script was ended because their time was over.
	Terminations uint64 `json:"terminations"`
	// Fallbacks are calls that were answered with less than was asked for, as the last known page while a dialog holds it.
	Fallbacks uint64 `json:"fallbacks"`
	// TotalNS and MaxNS are durations in nanoseconds.
	TotalNS int64 `json:"total_ns"`
	MaxNS   int64 `json:"max_ns"`
}

// counters count by the name of the tool. The zero value is ready.
type counters struct {
	mu sync.Mutex
	by map[string]ToolCounters
}

// fallback is a result that may be less than what was asked for.
type fallback interface{ fellBack() bool }

func (c *counters) ended(tool string, took time.Duration, value any, err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.by == nil {
		c.by = map[string]ToolCounters{}
	}
	n := c.by[tool]
	n.Calls++
	n.TotalNS += int64(took)
	n.MaxNS = max(n.MaxNS, int64(took))
	if err != nil {
		n.Failures = maps.Clone(n.Failures) // copies are given away
		if n.Failures == nil {
			n.Failures = map[string]uint64{}
		}
		n.Failures[Kind(err)]++
	}
	var stopped *host.StoppedError
	if errors.As(err, &stopped) && stopped.Terminated {
		n.Terminations++
	}
	if Kind(err) == host.KindTimeout {
		n.Timeouts++
	}
	if f, ok := value.(fallback); ok && err == nil && f.fellBack() {
		n.Fallbacks++
	}
	c.by[tool] = n
}

func (c *counters) all() map[string]ToolCounters {
	c.mu.Lock()
	defer c.mu.Unlock()
	return maps.Clone(c.by)
}
