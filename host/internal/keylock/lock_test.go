package keylock

import (
	"context"
	"errors"
	"sync"
	"testing"
)

func TestAKeyIsHeldByOneAtATimeAndOthersDoNotWait(t *testing.T) {
	var locks Locks
	unlock, err := locks.Lock(context.Background(), "a")
	if err != nil {
		t.Fatal(err)
	}
	other, err := locks.Lock(context.Background(), "b")
	if err != nil {
		t.Fatal(err)
	}
	other()
	reason := errors.New("tired of waiting")
	ctx, cancel := context.WithCancelCause(context.Background())
	cancel(reason)
	if _, err := locks.Lock(ctx, "a"); !errors.Is(err, reason) {
		t.Errorf("a waiter whose context ended got %v, want the context's cause", err)
	}
	unlock()
	if len(locks.locks) != 0 {
		t.Errorf("%d keys are left behind", len(locks.locks))
	}
}

func TestHammerKeyedLock(t *testing.T) {
	var (
		locks Locks
		wait  sync.WaitGroup
		held  = map[string]*int{"a": new(int), "b": new(int)}
	)
	for key, count := range held {
		for range 50 {
			wait.Go(func() {
				unlock, err := locks.Lock(context.Background(), key)
				if err != nil {
					t.Error(err)
					return
				}
				*count++ // the race detector notices if two hold the key
				unlock()
			})
		}
	}
	wait.Wait()
	if *held["a"] != 50 || *held["b"] != 50 {
		t.Errorf("the keys were held %d and %d times, want 50 each", *held["a"], *held["b"])
	}
}
