package host

import (
	"errors"
	"maps"
	"sync"
	"time"
)

// The reasons of [EvaluateCounters.Fallbacks].
const (
	fallbackNoIsolate = "no_isolate_id"     // the backend does not tell which pages share a main thread
	fallbackDocument  = "document_replaced" // before the expression was run, which was then sent to the new document
)

// evaluations counts evaluations and raw commands that run script.
type evaluations struct {
	mu     sync.Mutex
	counts EvaluateCounters
}

func (e *evaluations) ended(took time.Duration, err error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.counts.Calls++
	e.counts.TotalNS += int64(took)
	e.counts.MaxNS = max(e.counts.MaxNS, int64(took))
	if err == nil {
		return
	}
	countKey(&e.counts.Errors, ErrorKind(err))
	if errors.Is(err, ErrTimeout) {
		e.counts.Timeouts++
	}
}

func (e *evaluations) terminated() {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.counts.Terminations++
}

func (e *evaluations) fallback(reason string) {
	e.mu.Lock()
	defer e.mu.Unlock()
	countKey(&e.counts.Fallbacks, reason)
}

func countKey(m *map[string]uint64, key string) {
	if *m == nil {
		*m = map[string]uint64{}
	}
	(*m)[key]++
}

// evaluateCounters gives a copy of the counters.
func (h *Host) evaluateCounters() EvaluateCounters {
	h.evaluations.mu.Lock()
	defer h.evaluations.mu.Unlock()
	c := h.evaluations.counts
	c.Errors, c.Fallbacks = maps.Clone(c.Errors), maps.Clone(c.Fallbacks)
	return c
}
