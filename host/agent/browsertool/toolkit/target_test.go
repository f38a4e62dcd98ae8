package toolkit

import (
	"testing"
	"time"
)

// An element has less time to appear than a call has whose time nobody chose.
func TestHowLongAnElementMayTakeToAppear(t *testing.T) {
	kit := &Kit{Options: Options{Timeout: time.Minute}}
	for name, c := range map[string]struct {
		limit  Timeout
		target Target
		within time.Duration
	}{
		"no time":            {Timeout{}, Target{Shows: "Save"}, readyLimit},
		"a time":             {Timeout{TimeoutMS: 60_000}, Target{Shows: "Save"}, 0},
		"a share of no time": {Timeout{TimeoutMS: 60_000, Unchosen: true}, Target{Selector: "p"}, readyLimit},
		"a time for a ref":   {Timeout{TimeoutMS: 1}, Target{Ref: "e5"}, 0},
		"no element":         {Timeout{}, Target{FrameID: "F"}, 0},
	} {
		ctx, cancel := kit.Within(t.Context(), c.limit)
		if at := c.target.At(ctx); at.Within != c.within {
			t.Errorf("%s: %v, not %v", name, at.Within, c.within)
		}
		cancel()
	}
}
