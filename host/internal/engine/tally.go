package engine

import (
	"sync"

	"github.com/hermes-cdp/hermes-cdp/host/internal/supervise"
)

// Tally is what one connection counted.
type Tally struct {
	State supervise.Counters
	// Decoded, Undecodable and Skipped are events of the browser; Dropped ones are console messages that came too fast.
	Decoded, Undecodable, Skipped, Dropped uint64
}

// Queues is what waits at this moment.
type Queues struct {
	Inbox    int // for the owners of connections
	Outgoing int // commands that are not written yet
	InFlight int // commands that the browser has not answered yet
	Held     int // calls that wait until a tab can take them
}

// Sums gives what all connections of the group counted, those that have ended included, and what waits.
func (g *Group) Sums() (Tally, Queues) { return g.tallies.sum() }

// Evaluations gives what was counted of evaluations.
func (g *Group) Evaluations() EvaluationCounts { return g.evaluations.copied() }

// Reconnects gives how many connections were restored, how often that was tried, and how many browsers were given up.
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

// measured is what a link's owner counted and what waits. The owner alone may look; to publish a copy with each batch would
// cost more than the few who ask.
type measured struct {
	tally  Tally
	queues Queues
}

func (l *Link) measure() measured {
	conn := l.conn.Stats()
	sent, held := l.scheduled.Waiting()
	return measured{
		tally: Tally{State: l.state.Counters(), Decoded: l.decoded, Undecodable: l.undecodable, Skipped: l.skipped + uint64(conn.Skipped), Dropped: l.inbox.droppedEvents()},
		queues: Queues{
			Inbox: l.inbox.len(), Outgoing: int(conn.Queued), InFlight: len(l.sent) + sent, Held: held,
		},
	}
}

// tallies has the counters of all connections of a host. A connection is either live or added to ended, and moves from
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

// end is called by a link's owner as the last thing that it does with its state.
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
		m, ok := ask(l, l.measure)
		if !ok {
			m = measured{tally: l.final}
		}
		all.add(m.tally)
		queues.add(m.queues)
	}
	return all, queues
}

// now has what ended connections counted, and the others.
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
