//go:build linux && !race

// The race detector makes the host's own share of a call many times slower, and this is about time.

package plugin

import (
	"runtime"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/hermes-cdp/hermes-cdp/abi"
)

// The slowest code there is comes back to the host within 5 ms, which is how long it can hold up everyone else. A guest
// whose fuel is one ration runs no longer than that. It does the same every time, so the shortest run is what it takes;
// in the others someone else had the caches. The clock is that of the thread, which stands while someone else has the
// processor.
func TestEveryGuestIsBackInTheHostAfterFiveMilliseconds(t *testing.T) {
	for _, name := range []string{"spin", "recursion_wide", "call_tree", "slow_memory", "slow_division", "import_loop", "grow_loop", "fill"} {
		t.Run(name, func(t *testing.T) {
			limits := Limits{Fuel: ration}
			if name == "fill" {
				limits.Fuel = 17 << 20 // for one instruction, which fills all the memory that there can be
			}
			m := load(t, name, limits)
			runtime.LockOSThread()
			defer runtime.UnlockOSThread()
			shortest := time.Hour
			for runs := 0; runs < 100 && shortest > 5*time.Millisecond; runs++ {
				before := threadTime(t)
				_, err := m.Call(ctx0, abi.HookDialog, nil, nil)
				took := threadTime(t) - before
				if f := faultOf(t, err); f.Kind != FaultFuel {
					t.Fatalf("fault is %v", f)
				}
				shortest = min(shortest, took)
			}
			if shortest > 5*time.Millisecond {
				t.Errorf("the shortest run took %v", shortest)
			}
		})
	}
}

// threadTime is how long the thread that runs this has had a processor.
func threadTime(t *testing.T) time.Duration {
	var now unix.Timespec
	if err := unix.ClockGettime(unix.CLOCK_THREAD_CPUTIME_ID, &now); err != nil {
		t.Fatal(err)
	}
	return time.Duration(now.Nano())
}
