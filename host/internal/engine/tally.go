package engine

import (
	"errors"
	"maps"
	"sync"
	"time"

	"github.com/hermes-cdp/hermes-cdp/host/fault"
	"github.com/hermes-cdp/hermes-cdp/host/internal/supervise"
)

// Tally holds the counts of one connection.
type Tally struct {
	State supervise.Counters
	// Decoded, Undecodable and Skipped count events of the browser. Dropped counts those of the console and
	// of requests that came too fast.
	Decoded, Undecodable, Skipped, Dropped uint64
}

// Queues holds the lengths of the queues at this moment.
type Queues struct {
	Inbox    int // items for the owners of connections
	Outgoing int // commands that are not yet written
	InFlight int // commands that the browser has not yet answered
	Held     int // calls that wait until they can be sent
}

// Totals returns the counts of all connections of the group, including those that have ended, and the current queues.
func (g *Group) Totals() (Tally, Queues) { return g.tallies.sum() }

// Evaluations returns the counts of evaluations.
func (g *Group) Evaluations() EvaluationCounts { return g.evaluations.copied() }

// Reconnects returns how many connections were restored, how many attempts were made, and how many browsers were given
// up.
func (g *Group) Reconnects() (restored, attempts, failures uint64) {
	c := &g.reconnects
	return c.restored.Load(), c.attempts.Load(), c.failures.Load()
}

func (t *Tally) add(other Tally) {
	t.State.Add(other.State)
	t.Decoded += other.Decoded
	t.Undecodable += other.Undecodable
	t.Skipped += other.Skipped
	t.Dropped += other.Dropped
}

// measured is what the owner of a link counted, and its queues. Only the owner may read them: publishing a copy with
// each batch would cost more than the few requests for it.
type measured struct {
	tally  Tally
	queues Queues
}

func (l *Link) measure() measured {
	conn := l.conn.Stats()
	console, requests := l.inbox.droppedEvents()
	sent, held := l.scheduled.Waiting()
	return measured{
		tally: Tally{State: l.state.Counters(), Decoded: l.decoded, Undecodable: l.undecodable, Skipped: l.skipped + uint64(conn.Skipped), Dropped: console + requests},
		queues: Queues{
			Inbox: l.inbox.len(), Outgoing: int(conn.Queued), InFlight: len(l.sent) + sent, Held: held,
		},
	}
}

// tallies holds the counts of all connections of a host. A connection is either live or added to ended, and moves from
// one to the other under the lock, so that nothing is counted twice or lost.
type tallies struct {
	mu    sync.Mutex
	live  map[*Link]struct{}
	ended Tally
}

func (t *tallies) begin(l *Link) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.live == nil {
		t.live = map[*Link]struct{}{}
	}
	t.live[l] = struct{}{}
}

// end is called by the owner of a link when it last uses its state.
func (t *tallies) end(l *Link) {
	l.final = l.measure().tally
	t.mu.Lock()
	defer t.mu.Unlock()
	delete(t.live, l)
	t.ended.add(l.final)
}

func (t *tallies) sum() (Tally, Queues) {
	var queues Queues
	all, live := t.now()
	for _, l := range live {
		m, ok := askOwner(l, l.measure)
		if !ok {
			m = measured{tally: l.final}
		}
		all.add(m.tally)
		queues.add(m.queues)
	}
	return all, queues
}

// now returns what ended connections counted, and the live ones.
func (t *tallies) now() (ended Tally, live []*Link) {
	t.mu.Lock()
	defer t.mu.Unlock()
	ended.add(t.ended)
	for l := range t.live {
		live = append(live, l)
	}
	return ended, live
}

func (q *Queues) add(other Queues) {
	q.Inbox += other.Inbox
	q.Outgoing += other.Outgoing
	q.InFlight += other.InFlight
	q.Held += other.Held
}

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
