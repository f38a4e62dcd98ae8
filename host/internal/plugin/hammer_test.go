package plugin

import (
	"context"
	"errors"
	"runtime"
	"sync"
	"testing"
	"time"

	"github.com/hermes-cdp/hermes-cdp/abi"
)

// Many callers use healthy and faulty modules at once, some give up in the middle, and the modules are closed under
// them. Nothing may leak, and healthy modules must never answer anything but their verdict. TestMain looks for
// goroutines that are left.
func TestHammerMixedFaults(t *testing.T) {
	const callers, rounds = 16, 40
	limits := Limits{HookTimeout: 5 * time.Millisecond, Instances: 3, CallsPerInstance: 7}
	faulty := []string{"trap", "spin", "grow_touch", "grow_loop", "call_tree", "garbage", "oversize", "no_result",
		"unknown_status", "exit", "panic", "out_of_bounds"}
	healthy := load(t, "ok", Limits{Instances: 3, CallsPerInstance: 7})
	modules := make([]*Module, len(faulty))
	for n, name := range faulty {
		modules[n] = load(t, name, limits)
	}
	before := heap()

	var all sync.WaitGroup
	for n := range callers {
		all.Go(func() {
			for round := range rounds {
				ctx, cancel := context.WithTimeout(ctx0, time.Minute)
				if (n+round)%5 == 0 {
					ctx, cancel = context.WithTimeout(ctx0, time.Millisecond)
				}
				m := modules[(n*7+round)%len(modules)]
				_, err := m.Call(ctx, abi.HookDialog, nil, rejectGarbage)
				var fault *Fault
				if !errors.As(err, &fault) && !errors.Is(err, ErrBusy) && !errors.Is(err, ErrClosed) {
					t.Errorf("%s answered %v", m.Info().Name, err)
				}
				cancel()
				if _, err := healthy.Call(ctx0, abi.HookFrames, nil, rejectGarbage); err != nil {
					t.Errorf("the healthy module answered %v", err)
				}
				if n == 0 && round == rounds/2 {
					if err := modules[0].Close(); err != nil {
						t.Error(err)
					}
				}
			}
		})
	}
	all.Wait()

	if s := healthy.Stats(); s.Decided != callers*rounds || len(s.Faults) != 0 || s.InstancesLive > 3 {
		t.Errorf("the healthy module: %+v", s)
	}
	for _, m := range modules {
		m.pool.work.Wait() // an instance may still be in the making for a caller who gave up
		s := m.Stats()
		var faults uint64
		for _, n := range s.Faults {
			faults += n
		}
		if faults == 0 || s.Decided != 0 || s.InstancesCreated != s.InstancesClosed+uint64(s.InstancesLive) {
			t.Errorf("%s: %+v", m.Info().Name, s)
		}
	}
	if after := heap(); after > before+16<<20 {
		t.Errorf("the heap grew from %d to %d bytes", before, after)
	}
}

func heap() uint64 {
	runtime.GC()
	runtime.GC() // the second one frees what finalizers of the first let go
	var s runtime.MemStats
	runtime.ReadMemStats(&s)
	return s.HeapAlloc
}
