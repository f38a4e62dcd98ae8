package engine

import (
	"errors"
	"maps"
	"sync"
	"time"

	"github.com/hermes-cdp/hermes-cdp/host/fault"
)

// The reasons of [EvaluationCounts.Fallbacks].
const (
	fallbackNoIsolate = "no_isolate_id"     // the backend does not say which pages share a main thread
	fallbackDocument  = "document_replaced" // before the expression ran; it was then sent to the new document
)

// EvaluationCounts counts evaluations, including raw commands that run script.
type EvaluationCounts struct {
	Calls        uint64
	Errors       map[string]uint64 // by code
	Timeouts     uint64
	Terminations uint64
	Fallbacks    map[string]uint64 // by reason
	TotalNS      int64
	MaxNS        int64
}

// evaluations counts evaluations. The zero value is ready.
type evaluations struct {
	mu     sync.Mutex
	counts EvaluationCounts
}

// ended counts one evaluation.
func (e *evaluations) ended(took time.Duration, err error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.counts.Calls++
	e.counts.TotalNS += int64(took)
	e.counts.MaxNS = max(e.counts.MaxNS, int64(took))
	if err == nil {
		return
	}
	countKey(&e.counts.Errors, string(fault.CodeOf(err)))
	if errors.Is(err, fault.ErrTimeout) {
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

// copied returns a copy of the counts.
func (e *evaluations) copied() EvaluationCounts {
	e.mu.Lock()
	defer e.mu.Unlock()
	c := e.counts
	c.Errors, c.Fallbacks = maps.Clone(c.Errors), maps.Clone(c.Fallbacks)
	return c
}
