package plugin

import (
	"bytes"
	"context"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/hermes-cdp/hermes-cdp/abi"
)

// State answers state_get for one call: JSON, or a negative code. It follows the rules of [Environment].
type State func(key string) (value []byte, code abi.Code)

// Store holds in memory what plugins store for tasks. Each plugin has a shelf for each task, found by the plugin's
// name: it survives a swap of the module and ends with the task. The zero value is ready to use. All methods are safe
// for concurrent use.
type Store struct {
	mu    sync.Mutex
	tasks map[string]map[string]*shelf // by task, then plugin
}

// Environment returns the environment for a plugin's calls for a task. At most limit bytes of keys and values fit; 0
// means [abi.DefaultKVBytes]. A nil state has no entries.
//
// An environment that outlives its task keeps working, but after [Store.Drop] what it stores is lost with it. One that
// is created after Drop starts an empty store, which another Drop ends.
func (s *Store) Environment(plugin, task string, limit int, state State) Environment {
	return &stored{shelf: s.shelf(plugin, task), limit: orDefault(limit), state: state}
}

// Fork is like [Store.Environment] on a copy: it starts with what the plugin has stored for the task, and its changes
// are visible to no one else. It is for calls without effect.
func (s *Store) Fork(plugin, task string, limit int, state State) Environment {
	return &stored{shelf: s.shelf(plugin, task).clone(), limit: orDefault(limit), state: state}
}

// Entry is what a plugin has stored under a key; Bytes is the size of key and value.
type Entry struct {
	Key   string
	Bytes int
}

// Entries lists what a plugin has stored for a task, by key. It creates nothing.
func (s *Store) Entries(plugin, task string) []Entry {
	s.mu.Lock()
	shelf := s.tasks[task][plugin]
	s.mu.Unlock()
	if shelf == nil {
		return nil
	}
	shelf.mu.Lock()
	defer shelf.mu.Unlock()
	list := make([]Entry, 0, len(shelf.values))
	for _, key := range slices.Sorted(maps.Keys(shelf.values)) {
		list = append(list, Entry{key, len(key) + len(shelf.values[key])})
	}
	return list
}

// Drop forgets what all plugins stored for a task.
func (s *Store) Drop(task string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.tasks, task)
}

// Bytes returns how many bytes of keys and values all plugins have stored for a task.
func (s *Store) Bytes(task string) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	n := 0
	for _, shelf := range s.tasks[task] {
		n += shelf.size()
	}
	return n
}

func (s *Store) shelf(plugin, task string) *shelf {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.tasks == nil {
		s.tasks = map[string]map[string]*shelf{}
	}
	shelves := s.tasks[task]
	if shelves == nil {
		shelves = map[string]*shelf{}
		s.tasks[task] = shelves
	}
	if shelves[plugin] == nil {
		shelves[plugin] = &shelf{}
	}
	return shelves[plugin]
}

func orDefault(limit int) int {
	if limit <= 0 {
		return abi.DefaultKVBytes
	}
	return limit
}

// shelf is what one plugin stores for one task. A stored value never changes, so it can be handed out.
type shelf struct {
	mu     sync.Mutex
	values map[string][]byte // nil until the first value is stored
	bytes  int               // of keys and values
}

func (s *shelf) clone() *shelf {
	s.mu.Lock()
	defer s.mu.Unlock()
	return &shelf{values: maps.Clone(s.values), bytes: s.bytes}
}

func (s *shelf) size() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.bytes
}

// stored is the environment made of a shelf and a state.
type stored struct {
	*shelf
	limit int
	state State
}

func (e *stored) StateGet(key string) ([]byte, abi.Code) {
	if e.state == nil {
		return nil, abi.CodeNotFound
	}
	return e.state(key)
}

func (e *stored) KVGet(key string) ([]byte, abi.Code) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if value, ok := e.values[key]; ok {
		return value, 0
	}
	return nil, abi.CodeNotFound
}

// KVSet keeps the old value if the new one does not fit.
func (e *stored) KVSet(key string, value []byte) abi.Code {
	e.mu.Lock()
	defer e.mu.Unlock()
	old, replaced := e.values[key]
	after := e.bytes + len(value)
	if replaced {
		after -= len(old)
	} else {
		after += len(key)
	}
	if after > e.limit || !replaced && len(e.values) >= abi.MaxKVKeys {
		return abi.CodeTooLarge
	}
	if e.values == nil {
		e.values = map[string][]byte{}
	}
	e.values[key], e.bytes = bytes.Clone(value), after
	return 0
}

func (e *stored) KVDelete(key string) abi.Code {
	e.mu.Lock()
	defer e.mu.Unlock()
	old, ok := e.values[key]
	if !ok {
		return abi.CodeNotFound
	}
	delete(e.values, key)
	e.bytes -= len(key) + len(old)
	return 0
}

func (e *stored) KVList(prefix string) ([]string, abi.Code) {
	e.mu.Lock()
	defer e.mu.Unlock()
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
