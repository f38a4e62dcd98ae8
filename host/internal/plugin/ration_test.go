//go:build !race

// The race detector makes the host's own share of a call many times slower, and this is about time.

package plugin

import (
	"testing"
	"time"

	"github.com/hermes-cdp/hermes-cdp/abi"
)

// The slowest code there is comes back to the host within 5 ms, which is how long it can hold up everybody else. A guest
// whose fuel is one ration runs no longer than that. It does the same every time, so the shortest run is what it takes; in
// the others somebody else had the processor.
func TestEveryGuestIsBackInTheHostAfterFiveMilliseconds(t *testing.T) {
	for _, name := range []string{"spin", "recursion_wide", "call_tree", "slow_memory", "slow_division", "import_loop", "grow_loop", "fill"} {
		t.Run(name, func(t *testing.T) {
			limits := Limits{Fuel: ration}
			if name == "fill" {
				limits.Fuel = 17 << 20 // for one instruction, which fills all the memory that there can be
			}
			m := load(t, name, limits)
			shortest := time.Hour
			for runs := 0; runs < 100 && shortest > 5*time.Millisecond; runs++ {
				res, err := m.Call(ctx0, abi.HookDialog, nil, nil)
				if f := faultOf(t, err); f.Kind != FaultFuel {
					t.Fatalf("fault is %v", f)
				}
				shortest = min(shortest, res.Duration)
			}
			if shortest > 5*time.Millisecond {
				t.Errorf("the shortest run took %v", shortest)
			}
		})
	}
}
