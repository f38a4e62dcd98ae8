package plugin

import (
	"sync/atomic"
)

// Slot holds the module that serves under a name. Users take the module with Acquire and give it back with Release; a
// module is closed when nobody uses it any more, so that one generation can take over from another without a pause.
type Slot struct {
	current atomic.Pointer[generation]
}

// generation is a module with the number of its users; the slot itself is one of them.
type generation struct {
	module *Module
	users  atomic.Int64
}

// NewSlot returns a slot that owns the module.
func NewSlot(m *Module) *Slot {
	g := &generation{module: m}
	g.users.Store(1)
	s := &Slot{}
	s.current.Store(g)
	return s
}

// Lease is the right to use a module until Release.
type Lease struct{ generation *generation }

// Acquire returns the module that serves now. The error is [ErrClosed] once the slot is closed.
func (s *Slot) Acquire() (Lease, error) {
	for {
		g := s.current.Load()
		if g == nil {
			return Lease{}, ErrClosed
		}
		// A generation whose users fell to zero is being closed and must not be revived; the slot has moved on.
		for users := g.users.Load(); users > 0; users = g.users.Load() {
			if g.users.CompareAndSwap(users, users+1) {
				return Lease{g}, nil
			}
		}
	}
}

// Module returns the leased module.
func (l Lease) Module() *Module { return l.generation.module }

// Release ends the lease; it must be called once. The last user of a generation that the slot no longer holds closes it.
func (l Lease) Release() error {
	if l.generation.users.Add(-1) > 0 {
		return nil
	}
	return l.generation.module.Close()
}

// Close empties the slot. Its module is closed now, or when the last lease ends.
func (s *Slot) Close() error {
	g := s.current.Swap(nil)
	if g == nil {
		return nil
	}
	return Lease{g}.Release()
}
