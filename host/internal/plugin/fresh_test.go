package plugin

import (
	"errors"
	"sync"
	"testing"
	"time"

	"github.com/hermes-cdp/hermes-cdp/abi"
)

// The counter fixture answers how often its instance was called before.
func TestAFreshCallHasAnInstanceOfItsOwn(t *testing.T) {
	m := load(t, "counter", Limits{Instances: 1})
	count := func(run func(Decode) (Result, error)) (n byte) {
		_, err := run(func(verdict []byte) error { n = verdict[0]; return nil })
		if err != nil {
			t.Fatal(err)
		}
		return n
	}
	pooled := func(d Decode) (Result, error) { return m.Call(ctx0, abi.HookDialog, nil, d) }
	fresh := func(d Decode) (Result, error) { return m.CallFresh(ctx0, nil, abi.HookDialog, nil, d) }
	for n := range byte(5) {
		if got := count(pooled); got != n {
			t.Errorf("the instance of the pool counts %d, want %d", got, n)
		}
		if got := count(fresh); got != 0 {
			t.Errorf("a fresh instance was called %d times before", got)
		}
	}
	// The bound of the pool does not hold up a fresh call.
	release := held(t, m)
	count(fresh)
	release()
	s := m.Stats()
	if s.InstancesCreated != 7 || s.InstancesClosed != 6 || s.InstancesLive != 1 || s.MemoryBytes != 64<<10 || s.Calls != 12 {
		t.Errorf("stats are %+v", s)
	}
}

func TestAFreshCallThatFailsIsAFaultAndLeavesNothing(t *testing.T) {
	m := load(t, "trap", Limits{})
	_, err := m.CallFresh(ctx0, nil, abi.HookDialog, nil, nil)
	if f := faultOf(t, err); f.Kind != FaultTrap {
		t.Errorf("fault is %v", f)
	}
	if s := m.Stats(); s.InstancesClosed != 1 || s.InstancesLive != 1 || s.Faults["trap"] != 1 {
		t.Errorf("stats are %+v", s)
	}
	if _, err := m.CallFresh(ctx0, nil, "hermes_on_nothing", nil, nil); !errors.Is(err, ErrNoHook) {
		t.Errorf("error is %v", err)
	}
}

// Close waits for fresh calls as for others, and refuses those that come later.
func TestCloseWaitsForFreshCalls(t *testing.T) {
	m := load(t, "spin", Limits{HookTimeout: 50 * time.Millisecond, Fuel: noLimit})
	var all sync.WaitGroup
	for range 4 {
		all.Go(func() {
			_, err := m.CallFresh(ctx0, nil, abi.HookDialog, nil, nil)
			var f *Fault
			if !errors.Is(err, ErrClosed) && !errors.As(err, &f) {
				t.Errorf("error is %v", err)
			}
		})
	}
	if err := m.Close(); err != nil {
		t.Error(err)
	}
	if s := m.Stats(); s.InstancesCreated != s.InstancesClosed || s.MemoryBytes != 0 {
		t.Errorf("stats after the close are %+v", s)
	}
	all.Wait()
	if _, err := m.CallFresh(ctx0, nil, abi.HookDialog, nil, nil); !errors.Is(err, ErrClosed) {
		t.Errorf("error is %v", err)
	}
}
