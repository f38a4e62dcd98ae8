package engine

import (
	"context"
	"maps"
	"slices"
	"sync"

	"github.com/hermes-cdp/hermes-cdp/host/internal/engine/emulate"
	"github.com/hermes-cdp/hermes-cdp/host/internal/supervise"
	"github.com/hermes-cdp/hermes-cdp/host/view"
)

// emulation is what a task emulates.
type emulation struct {
	changing sync.Mutex // held while it changes, so that one change follows another
	mu       sync.Mutex
	now      view.Emulation
}

// Emulation returns what is emulated.
func (t *Task) Emulation() view.Emulation {
	t.emulation.mu.Lock()
	defer t.emulation.mu.Unlock()
	now := t.emulation.now
	return copied(now)
}

// copied is an emulation that shares nothing with another.
func copied(e view.Emulation) view.Emulation {
	e.Permissions, e.Headers = slices.Clone(e.Permissions), maps.Clone(e.Headers)
	if e.Network != nil {
		speed := *e.Network
		e.Network = &speed
	}
	return e
}

// Emulate replaces what is emulated. On an error, what was emulated before is emulated again.
func (t *Task) Emulate(ctx context.Context, e view.Emulation) error {
	t.emulation.changing.Lock()
	defer t.emulation.changing.Unlock()
	if err := e.Headers.Check(); err != nil {
		return err
	}
	e = copied(e)
	t.network.Hide(e.Headers)
	if e.Offline || e.Network != nil || len(e.Headers) > 0 {
		t.WatchNetwork() // only sessions that report requests can be cut off or given headers
	}
	set, undo := emulate.Commands(e, t.context)
	_, err := t.Ask(ctx, func(id supervise.RequestID) supervise.Event {
		return supervise.Emulate{Request: id, Task: t.id, Set: set, Undo: undo}
	})
	if err != nil {
		set, undo = emulate.Commands(t.Emulation(), t.context)
		t.Post(supervise.Emulate{Task: t.id, Set: set, Undo: undo})
		return err
	}
	t.emulation.mu.Lock()
	t.emulation.now = e
	t.emulation.mu.Unlock()
	return nil
}
