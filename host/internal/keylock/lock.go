// Package keylock has locks by name.
package keylock

import (
	"context"
	"sync"
)

// Locks has a lock per key, so that slow work for one task or browser does not hold up others. A waiter gives up when
// its context ends. The zero value is ready to use.
type Locks struct {
	mu    sync.Mutex
	locks map[string]*entry
}

type entry struct {
	held  chan struct{}
	users int
}

// Lock acquires the lock of a key and returns the function that releases it.
func (k *Locks) Lock(ctx context.Context, key string) (unlock func(), err error) {
	k.mu.Lock()
	if k.locks == nil {
		k.locks = map[string]*entry{}
	}
	e := k.locks[key]
	if e == nil {
		e = &entry{held: make(chan struct{}, 1)}
		k.locks[key] = e
	}
	e.users++
	k.mu.Unlock()
	leave := func() {
		k.mu.Lock()
		defer k.mu.Unlock()
		if e.users--; e.users == 0 {
			delete(k.locks, key)
		}
	}
	unlock = func() { <-e.held; leave() }
	select {
	case e.held <- struct{}{}: // even if ctx has ended
		return unlock, nil
	default:
	}
	select {
	case e.held <- struct{}{}:
		return unlock, nil
	case <-ctx.Done():
		leave()
		return nil, context.Cause(ctx)
	}
}
