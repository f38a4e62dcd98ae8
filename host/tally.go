package host

import (
	"sync"

	"github.com/hermes-cdp/hermes-cdp/host/internal/supervise"
)

// tally is what one connection counted.
type tally struct {
	state                         supervise.Counters
	decoded, undecodable, skipped uint64
	dropped                       uint64
}

func (t *tally) add(other tally) {
	t.state.Add(other.state)
	t.decoded += other.decoded
	t.undecodable += other.undecodable
	t.skipped += other.skipped
	t.dropped += other.dropped
}

// measured is what a link's owner counted and what waits. The owner alone may look; to publish a copy with each batch would
// cost more than the few who ask.
type measured struct {
	tally  tally
	queues QueueDepths
}

func (l *link) measure() measured {
	conn := l.conn.Stats()
	sent, held := l.scheduled.Waiting()
	return measured{
		tally: tally{state: l.state.Counters(), decoded: l.decoded, undecodable: l.undecodable, skipped: l.skipped + uint64(conn.Skipped), dropped: l.inbox.droppedEvents()},
		queues: QueueDepths{
			Inbox: l.inbox.len(), Outgoing: int(conn.Queued), InFlight: len(l.sent) + sent, Held: held,
		},
	}
}

// tallies has the counters of all connections of a host. A connection is either live or added to ended, and moves from
// one to the other under the lock, so that nothing is counted twice or lost.
type tallies struct {
	mu    sync.Mutex
	live  map[*link]struct{}
	ended tally
}

func (t *tallies) begin(l *link) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.live == nil {
		t.live = map[*link]struct{}{}
	}
	t.live[l] = struct{}{}
}

// end is called by a link's owner as the last thing that it does with its state.
func (t *tallies) end(l *link) {
	l.final = l.measure().tally
	t.mu.Lock()
	defer t.mu.Unlock()
	delete(t.live, l)
	t.ended.add(l.final)
}

func (t *tallies) sum() (tally, QueueDepths) {
	var queues QueueDepths
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
func (t *tallies) now() (ended tally, live []*link) {
	t.mu.Lock()
	defer t.mu.Unlock()
	ended.add(t.ended)
	for l := range t.live {
		live = append(live, l)
	}
	return ended, live
}

func (q *QueueDepths) add(other QueueDepths) {
	q.Inbox += other.Inbox
	q.Outgoing += other.Outgoing
	q.InFlight += other.InFlight
	q.Held += other.Held
}
