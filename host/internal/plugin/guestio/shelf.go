package guestio

import (
	"bytes"
	"cmp"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/hermes-cdp/hermes-cdp/abi"
)

// holding is what one plugin stores for all tasks. Its mutex guards its shelves too: each use of them is short, and
// they have one quota.
type holding struct {
	changed chan<- struct{} // see [Store.Saving]

	mu               sync.Mutex
	shelves          map[string]*shelf // by task
	bytes, keys      int               // of all shelves
	refused, evicted int
	durable          bool
	unsaved          map[string]*shelf // by task, those with changes; nil: what was saved for the task goes
}

// shelf is what one plugin stores for one task.
type shelf struct {
	of      *holding
	task    string
	values  map[string]Value // nil until the first value is stored
	bytes   int              // of keys and values
	soonest time.Time        // no value ends before; zero: none does
	inUse   bool             // there may be a task that uses it
	left    time.Time        // when that task ended; zero: in an earlier process
	dropped bool             // only environments from before still use it

	saved   bool            // something was saved of it
	whole   bool            // all of it is unsaved
	unsaved map[string]bool // else the keys that are
}

// Value is a stored value. Its data never changes, so it can be handed out.
type Value struct {
	Data []byte
	Ends time.Time // when its time to live is over; zero: never
}

// ended reports whether the value is no longer there.
func (v Value) ended(now time.Time) bool { return !v.Ends.IsZero() && !now.Before(v.Ends) }

func (h *holding) add(task string) *shelf {
	s := &shelf{of: h, task: task}
	if _, old := h.unsaved[task]; old { // another one's is still saved
		s.saved, s.whole = true, true
	}
	h.shelves[task] = s
	return s
}

// drop forgets a shelf, with what was saved of it.
func (h *holding) drop(s *shelf) {
	delete(h.shelves, s.task)
	delete(h.unsaved, s.task)
	s.dropped = true
	h.bytes -= s.bytes
	h.keys -= len(s.values)
	if s.saved {
		h.note(s.task, nil)
	}
}

// note remembers that something is to be saved.
func (h *holding) note(task string, s *shelf) {
	if h.unsaved == nil {
		h.unsaved = map[string]*shelf{}
	}
	h.unsaved[task] = s
	select {
	case h.changed <- struct{}{}:
	default: // it knows already
	}
}

// setDurable begins to save what is there, or ends it, and then nothing stays saved.
func (h *holding) setDurable(on bool) {
	on = on && h.changed != nil
	if on == h.durable {
		return
	}
	h.durable = on
	for _, s := range slices.Collect(maps.Values(h.shelves)) {
		switch {
		case on:
			s.whole = true
			h.note(s.task, s)
		case !s.inUse:
			h.drop(s)
		case s.saved:
			s.saved = false
			h.note(s.task, nil)
		}
	}
}

// makeRoom reports whether so many more bytes and keys fit. What has ended makes room for them, and then the shelves
// whose tasks have, those first that were left first; never the given one.
func (h *holding) makeRoom(bytes, keys int, q Quota, but *shelf) bool {
	fits := func() bool {
		return bytes <= 0 && keys == 0 || h.bytes+bytes <= q.TotalBytes && h.keys+keys <= q.TotalKeys
	}
	if fits() {
		return true
	}
	h.sweep()
	for _, s := range h.unused() {
		if fits() {
			break
		}
		if s != but {
			h.drop(s)
			h.evicted++
		}
	}
	return fits()
}

func (h *holding) unused() []*shelf {
	list := slices.DeleteFunc(slices.Collect(maps.Values(h.shelves)), func(s *shelf) bool { return s.inUse })
	slices.SortFunc(list, func(a, b *shelf) int { return cmp.Or(a.left.Compare(b.left), strings.Compare(a.task, b.task)) })
	return list
}

func (h *holding) sweep() {
	for _, s := range h.shelves {
		s.sweep()
	}
}

// sweep removes the values that have ended. It looks at them only if one may have.
func (s *shelf) sweep() {
	if s.soonest.IsZero() {
		return
	}
	now := time.Now()
	if now.Before(s.soonest) {
		return
	}
	s.soonest = time.Time{}
	for key, v := range s.values {
		if v.ended(now) {
			s.remove(key)
			continue
		}
		s.expect(v.Ends)
	}
}

// expect remembers when the first value ends.
func (s *shelf) expect(end time.Time) {
	if !end.IsZero() && (s.soonest.IsZero() || end.Before(s.soonest)) {
		s.soonest = end
	}
}

// put stores a copy of a value if it fits; the old one then ends.
func (s *shelf) put(key string, data []byte, ttl time.Duration, q Quota) abi.Code {
	old, replaced := s.values[key]
	more, keys := len(data)-len(old.Data), 0
	if !replaced {
		more, keys = len(key)+len(data), 1
	}
	if s.bytes+more > q.Bytes || len(s.values)+keys > abi.MaxKVKeys || !s.dropped && !s.of.makeRoom(more, keys, q, s) {
		s.of.refused++
		return abi.CodeTooLarge
	}
	v := Value{Data: bytes.Clone(data)}
	if ttl > 0 {
		v.Ends = time.Now().Add(ttl)
		s.expect(v.Ends)
	}
	if s.values == nil {
		s.values = map[string]Value{}
	}
	s.values[key] = v
	s.count(key, more, keys)
	return 0
}

func (s *shelf) remove(key string) {
	v := s.values[key]
	delete(s.values, key)
	s.count(key, -len(key)-len(v.Data), -1)
}

// count is called after a change of a value.
func (s *shelf) count(key string, bytes, keys int) {
	s.bytes += bytes
	if s.dropped {
		return
	}
	s.of.bytes += bytes
	s.of.keys += keys
	if !s.of.durable {
		return
	}
	if s.unsaved == nil {
		s.unsaved = map[string]bool{}
	}
	s.unsaved[key] = true
	if len(s.unsaved) > abi.MaxKVKeys {
		s.whole, s.unsaved = true, nil // the keys of a disk that does not keep up have a bound too
	}
	s.of.note(s.task, s)
}
