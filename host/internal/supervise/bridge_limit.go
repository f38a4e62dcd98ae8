package supervise

import "time"

// Any page can request the bridge's address and write a debugger statement that looks like the script's. Each try costs a
// call of the module, so a frame has only so many: a bucket that what is proven does not empty.
const (
	bucketSize   = 50 // tries
	bucketRefill = 10 // tries per second
	// maxHolds is how many a frame can have at a time. Its thread stops for a real one, so there is one, beside those of
	// documents that it has left.
	maxHolds = 4
)

// bucket is a token bucket that is full when it is new.
type bucket struct {
	used float64
	at   time.Time
}

func (b *bucket) take(now time.Time) bool {
	b.used = max(0, b.used-now.Sub(b.at).Seconds()*bucketRefill)
	b.at = now
	if b.used+1 > bucketSize {
		return false
	}
	b.used++
	return true
}

func (b *bucket) refund() { b.used = max(0, b.used-1) }

// bucketOf is that of a hold's frame; frames that are not known share that of the tab's top frame.
func (s *State) bucketOf(h *bridgeHold) *bucket {
	if f := s.frameOf(h.session, h.frame); f != nil {
		return &f.tries
	}
	return &h.session.tab.root.tries
}

func (s *State) withinLimits(h *bridgeHold) bool {
	n := 0
	for _, other := range h.session.holds {
		if other.frame == h.frame {
			n++
		}
	}
	return n <= maxHolds && s.bucketOf(h).take(s.now)
}

func (s *State) refund(h *bridgeHold) { s.bucketOf(h).refund() }
