package journal

import (
	"sync"
	"unsafe"

	"github.com/hermes-cdp/hermes-cdp/abi"
)

// Ring keeps the latest calls in memory. Its methods are safe for concurrent use; a nil Ring keeps nothing.
//
// Whatever an entry points at belongs to the ring once it was added. It is shared with everyone who reads the entry,
// and must not be modified.
type Ring struct {
	limitEntries int
	limitBytes   int64

	mu      sync.Mutex
	entries []Entry // circular once it is full
	first   int     // index of the oldest
	count   int
	bytes   int64
	lost    uint64
}

// NewRing returns a ring for the given number of calls, which together take no more than the given number of bytes, not
// counting configurations, which calls share. With no entries or no bytes it keeps nothing.
func NewRing(entries int, bytes int64) *Ring {
	if entries <= 0 || bytes <= 0 {
		return nil
	}
	return &Ring{limitEntries: entries, limitBytes: bytes}
}

// Add adds a call and drops the oldest ones if there is no room. A call larger than the ring is not kept.
func (r *Ring) Add(e Entry) {
	if r == nil {
		return
	}
	size := e.size()
	r.mu.Lock()
	defer r.mu.Unlock()
	if size > r.limitBytes {
		r.lost++
		return
	}
	for r.count == r.limitEntries || r.bytes+size > r.limitBytes {
		r.dropOldest()
	}
	if r.count == len(r.entries) {
		r.grow()
	}
	r.entries[(r.first+r.count)%len(r.entries)] = e
	r.count++
	r.bytes += size
}

func (r *Ring) dropOldest() {
	oldest := &r.entries[r.first]
	r.bytes -= oldest.size()
	*oldest = Entry{} // so that what it points at can be collected
	r.first = (r.first + 1) % len(r.entries)
	r.count--
}

// grow adds room step by step, because most hosts never see as many calls as a ring may keep.
func (r *Ring) grow() {
	grown := make([]Entry, min(max(2*len(r.entries), 16), r.limitEntries))
	n := copy(grown, r.entries[r.first:])
	copy(grown[n:], r.entries[:r.first])
	r.entries, r.first = grown, 0
}

// Recent returns the latest calls of a plugin, oldest first. If max is 0 or less it returns all of them; an empty name
// means every plugin.
func (r *Ring) Recent(plugin string, max int) []Entry {
	return r.Select(Filter{Plugin: plugin, Max: max})
}

// Select returns the latest calls that match, oldest first.
func (r *Ring) Select(f Filter) []Entry {
	if r == nil {
		return nil
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	begin := r.count
	for matched := 0; begin > 0 && (f.Max <= 0 || matched < f.Max); begin-- {
		if f.Matches(r.at(begin - 1)) {
			matched++
		}
	}
	var list []Entry
	for i := begin; i < r.count; i++ {
		if e := r.at(i); f.Matches(e) {
			list = append(list, *e)
		}
	}
	return list
}

// Last returns the latest call that matches.
func (r *Ring) Last(f Filter) (Entry, bool) {
	f.Max = 1
	list := r.Select(f)
	if len(list) == 0 {
		return Entry{}, false
	}
	return list[0], true
}

// Find returns the calls with a sequence number: one per module that was asked about the event, in order.
func (r *Ring) Find(sequence uint64) []Entry { return r.Select(Filter{Sequence: sequence}) }

// Len returns the number of calls, and of the bytes that they take.
func (r *Ring) Len() (entries int, bytes int64) {
	if r == nil {
		return 0, 0
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.count, r.bytes
}

// Lost returns how many calls were too large to be kept.
func (r *Ring) Lost() uint64 {
	if r == nil {
		return 0
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.lost
}

// at is the i-th call, counted from the oldest. The lock is held.
func (r *Ring) at(i int) *Entry { return &r.entries[(r.first+i)%len(r.entries)] }

// Filter selects calls. Zero fields match every call.
type Filter struct {
	Plugin   string
	Task     string
	Hook     abi.Hook
	Subject  string
	Sequence uint64
	Max      int // only the latest Max calls; 0 or less: all
	// Candidates includes shadow calls.
	Candidates bool
}

// Matches reports whether a call matches. It ignores Max.
func (f *Filter) Matches(e *Entry) bool {
	return (f.Plugin == "" || f.Plugin == e.Plugin) && (f.Task == "" || f.Task == e.Task) &&
		(f.Hook == "" || f.Hook == e.Hook) && (f.Subject == "" || f.Subject == e.Subject) &&
		(f.Sequence == 0 || f.Sequence == e.Sequence) && (f.Candidates || !e.Candidate)
}

// size is the memory that only this entry takes. Names and hashes are shared with the host, the configuration with
// other calls of the module.
func (e *Entry) size() int64 {
	size := int(unsafe.Sizeof(*e)) + cap(e.Event) + cap(e.Verdict) + len(e.Reason) + len(e.Detail)
	for i := range e.Exchanges {
		x := &e.Exchanges[i]
		size += int(unsafe.Sizeof(*x)) + len(x.Key) + cap(x.Value) + cap(x.Request)
		for _, key := range x.Keys {
			size += int(unsafe.Sizeof(key)) + len(key)
		}
	}
	return int64(size)
}
