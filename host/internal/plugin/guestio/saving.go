package guestio

import "maps"

// Change is what is to be saved of what a plugin has stored for a task.
type Change struct {
	Plugin, Task string
	// Whole says that what was saved before goes.
	Whole bool
	// Values are those that changed, by key, with their present values.
	Values map[string]Value
	// Removed are the keys that are no longer there.
	Removed []string
}

// Saving returns a channel that receives whenever there are changes to be saved. From then on, [Store.Changes] has
// what plugins with [Quota.Durable] store. It is called before the store is used.
func (s *Store) Saving() <-chan struct{} {
	changed := make(chan struct{}, 1)
	s.changed = changed
	return changed
}

// Restore puts back what was saved for a task, but not what has ended. It is called after [Store.Saving], before the
// store is used.
func (s *Store) Restore(plugin, task string, values map[string]Value) {
	h := s.holding(plugin)
	h.mu.Lock()
	defer h.mu.Unlock()
	h.durable = true
	shelf := h.add(task)
	shelf.values, shelf.saved = values, true
	h.keys += len(values)
	for key, v := range values {
		shelf.bytes += len(key) + len(v.Data)
		shelf.expect(v.Ends)
	}
	h.bytes += shelf.bytes
	shelf.sweep()
}

// Changes returns what has changed since the last call, in its current form: for each task all of it at one moment.
func (s *Store) Changes() []Change {
	var list []Change
	s.mu.Lock()
	defer s.mu.Unlock()
	for name, h := range s.holdings {
		h.mu.Lock()
		for task, shelf := range h.unsaved {
			change := Change{Plugin: name, Task: task, Whole: true}
			if shelf != nil {
				shelf.sweep()
				change = shelf.change(name)
			}
			list = append(list, change)
		}
		clear(h.unsaved)
		h.mu.Unlock()
	}
	return list
}

func (s *shelf) change(plugin string) Change {
	c := Change{Plugin: plugin, Task: s.task, Whole: s.whole || !s.saved, Values: map[string]Value{}}
	if c.Whole {
		maps.Copy(c.Values, s.values)
	}
	for key := range s.unsaved {
		if v, ok := s.values[key]; ok {
			c.Values[key] = v
		} else if !c.Whole {
			c.Removed = append(c.Removed, key)
		}
	}
	s.saved, s.whole, s.unsaved = true, false, nil
	return c
}

// NotSaved takes back changes that could not be saved: [Store.Changes] returns them again, with what came after them.
func (s *Store) NotSaved(changes []Change) {
	for _, c := range changes {
		h := s.holding(c.Plugin)
		h.mu.Lock()
		switch shelf := h.shelves[c.Task]; {
		case shelf != nil && h.durable:
			shelf.whole = true
			h.note(c.Task, shelf)
		default:
			h.note(c.Task, nil)
		}
		h.mu.Unlock()
	}
}
