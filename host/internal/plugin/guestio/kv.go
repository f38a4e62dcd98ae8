package guestio

import (
	"bytes"
	"cmp"
	"context"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/hermes-cdp/hermes-cdp/abi"
)

// State answers state_get for one call: JSON, or a negative code. It follows the rules of [Environment].
type State func(key string) (value []byte, code abi.Code)

// Store holds in memory what plugins store for tasks. Each plugin has a shelf for each task, found by the plugin's
// name: it survives a swap of the module and ends with the task. The zero value is ready to use. All methods are safe
// for concurrent use, and none waits for a disk.
//
// An entry may have a time to live. Once it is over, by the clock of this process, nothing shows the entry; its memory
// is freed by the next use of its shelf, or when another shelf of the plugin needs the room.
type Store struct {
	mu       sync.Mutex
	holdings map[string]*holding // by plugin
	changed  chan<- struct{}     // has room for one; nil: nobody saves
}

// Quota bounds what a plugin stores. A zero field means its default.
type Quota struct {
	Bytes      int // of keys and values for one task; default [abi.DefaultKVBytes]
	TotalBytes int // for all tasks; default [abi.DefaultKVTotalBytes], or Bytes if that is more
	TotalKeys  int // for all tasks; default [abi.DefaultKVTotalKeys]
	// Durable says that what is stored is saved, see [Store.Saving].
	Durable bool
}

func (q Quota) withDefaults() Quota {
	q.Bytes = cmp.Or(q.Bytes, abi.DefaultKVBytes)
	q.TotalBytes = cmp.Or(q.TotalBytes, max(q.Bytes, abi.DefaultKVTotalBytes))
	q.TotalKeys = cmp.Or(q.TotalKeys, abi.DefaultKVTotalKeys)
	return q
}

// Environment returns the environment for a plugin's calls for a task. A nil state has no entries.
//
// An environment that outlives its task keeps working, but after [Store.Drop] what it stores is lost with it. One that
// is created after Drop starts an empty store, which another Drop ends.
func (s *Store) Environment(plugin, task string, quota Quota, state State) Environment {
	h := s.holding(plugin)
	h.mu.Lock()
	defer h.mu.Unlock()
	h.setDurable(quota.Durable)
	shelf := h.shelves[task]
	if shelf == nil {
		shelf = h.add(task)
	}
	shelf.inUse = true
	return &stored{shelf: shelf, quota: quota.withDefaults(), state: state}
}

// Fork is like [Store.Environment] on a copy: it starts with what the plugin has stored for the task, and its changes
// are visible to no one else. It is for calls without effect.
func (s *Store) Fork(plugin, task string, quota Quota, state State) Environment {
	h := s.holding(plugin)
	h.mu.Lock()
	defer h.mu.Unlock()
	copied := &shelf{of: &holding{bytes: h.bytes, keys: h.keys}}
	if original := h.shelves[task]; original != nil {
		copied.values, copied.bytes, copied.soonest = maps.Clone(original.values), original.bytes, original.soonest
	}
	return &stored{shelf: copied, quota: quota.withDefaults(), state: state}
}

// Entry is what a plugin has stored under a key; Bytes is the size of key and value.
type Entry struct {
	Key   string
	Bytes int
	Ends  time.Time // when its time to live is over; zero: never
}

// Entries lists what a plugin has stored for a task, by key.
func (s *Store) Entries(plugin, task string) []Entry {
	h := s.holding(plugin)
	h.mu.Lock()
	defer h.mu.Unlock()
	shelf := h.shelves[task]
	if shelf == nil {
		return nil
	}
	shelf.sweep()
	list := make([]Entry, 0, len(shelf.values))
	for _, key := range slices.Sorted(maps.Keys(shelf.values)) {
		v := shelf.values[key]
		list = append(list, Entry{Key: key, Bytes: len(key) + len(v.Data), Ends: v.Ends})
	}
	return list
}

// Usage is how much of its quota a plugin uses.
type Usage struct {
	Bytes, Keys int // of all tasks
	Tasks       int
	// Refused counts the writes that did not fit, and Evicted the tasks that were no longer running and whose entries made
	// room, both since the process began.
	Refused, Evicted int
}

// Usage returns how much of its quota a plugin uses.
func (s *Store) Usage(plugin string) Usage {
	h := s.holding(plugin)
	h.mu.Lock()
	defer h.mu.Unlock()
	h.sweep()
	u := Usage{Bytes: h.bytes, Keys: h.keys, Refused: h.refused, Evicted: h.evicted}
	for _, shelf := range h.shelves {
		if len(shelf.values) > 0 {
			u.Tasks++
		}
	}
	return u
}

// Drop forgets what all plugins stored for a task.
func (s *Store) Drop(task string) {
	for _, h := range s.all() {
		h.mu.Lock()
		if shelf := h.shelves[task]; shelf != nil {
			h.drop(shelf)
		}
		h.mu.Unlock()
	}
}

// Leave is Drop for a task that another one may follow under its name, in this process or the next: what is saved
// stays.
func (s *Store) Leave(task string) {
	for _, h := range s.all() {
		h.mu.Lock()
		switch shelf := h.shelves[task]; {
		case shelf == nil:
		case h.durable && len(shelf.values) > 0:
			shelf.inUse, shelf.left = false, time.Now()
		default:
			h.drop(shelf)
		}
		h.mu.Unlock()
	}
}

// Bytes returns how many bytes of keys and values all plugins have stored for a task.
func (s *Store) Bytes(task string) int {
	n := 0
	for _, h := range s.all() {
		h.mu.Lock()
		if shelf := h.shelves[task]; shelf != nil {
			shelf.sweep()
			n += shelf.bytes
		}
		h.mu.Unlock()
	}
	return n
}

func (s *Store) all() []*holding {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Collect(maps.Values(s.holdings))
}

func (s *Store) holding(plugin string) *holding {
	s.mu.Lock()
	defer s.mu.Unlock()
	h := s.holdings[plugin]
	if h == nil {
		h = &holding{shelves: map[string]*shelf{}, changed: s.changed}
		if s.holdings == nil {
			s.holdings = map[string]*holding{}
		}
		s.holdings[plugin] = h
	}
	return h
}

// stored is the environment made of a shelf and a state.
type stored struct {
	*shelf
	quota Quota
	state State
}

func (e *stored) StateGet(key string) ([]byte, abi.Code) {
	if e.state == nil {
		return nil, abi.CodeNotFound
	}
	return e.state(key)
}

func (e *stored) KVGet(key string) ([]byte, abi.Code) {
	e.of.mu.Lock()
	defer e.of.mu.Unlock()
	e.sweep()
	if v, ok := e.values[key]; ok {
		return v.Data, 0
	}
	return nil, abi.CodeNotFound
}

// KVSet keeps the old value if the new one does not fit.
func (e *stored) KVSet(key string, value []byte) abi.Code { return e.KVSetTTL(key, value, 0) }

func (e *stored) KVSetTTL(key string, value []byte, ttl time.Duration) abi.Code {
	e.of.mu.Lock()
	defer e.of.mu.Unlock()
	e.sweep()
	return e.put(key, value, ttl, e.quota)
}

func (e *stored) KVCompareAndSet(key string, old, value []byte, ttl time.Duration) abi.Code {
	e.of.mu.Lock()
	defer e.of.mu.Unlock()
	e.sweep()
	if current, ok := e.values[key]; ok != (old != nil) || !bytes.Equal(current.Data, old) {
		return abi.CodeConflict
	}
	return e.put(key, value, ttl, e.quota)
}

func (e *stored) KVDelete(key string) abi.Code {
	e.of.mu.Lock()
	defer e.of.mu.Unlock()
	e.sweep()
	if _, ok := e.values[key]; !ok {
		return abi.CodeNotFound
	}
	e.remove(key)
	return 0
}

func (e *stored) KVList(prefix string) ([]string, abi.Code) {
	e.of.mu.Lock()
	defer e.of.mu.Unlock()
	e.sweep()
	var keys []string
	for key := range e.values {
		if strings.HasPrefix(key, prefix) {
			keys = append(keys, key)
		}
	}
	slices.Sort(keys)
	return keys, 0
}

// CallEmbedder has no embedder to ask: the host puts one on top.
func (e *stored) CallEmbedder(context.Context, string, []byte) ([]byte, abi.Code) {
	return nil, abi.CodeUnsupported
}
