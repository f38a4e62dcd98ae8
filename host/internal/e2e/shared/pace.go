package shared

import (
	"sync/atomic"
	"time"
)

// Pace is how long something took on this machine, as busy as it was. What bounds something else is made of it.
type Pace time.Duration

// Measure does something, and gives its pace.
func Measure(do func()) Pace {
	began := time.Now()
	do()
	return Pace(time.Since(began))
}

// Times gives so many times the pace, or a time that is enough for a machine with nothing else to do.
func (p Pace) Times(n int, enough time.Duration) time.Duration {
	return max(enough, time.Duration(n)*time.Duration(p))
}

// slowest is the pace of the slowest start of a browser until now.
var slowest atomic.Int64

func started(p Pace) {
	for {
		known := slowest.Load()
		if int64(p) <= known || slowest.CompareAndSwap(known, int64(p)) {
			return
		}
	}
}

// Soon is enough for a call to have begun whatever it does.
func Soon() time.Duration { return Pace(slowest.Load()).Times(1, 300*time.Millisecond) }

// Limit ends what hangs: a test, or a call that a test gives all the time that it needs. A browser starts in half a second,
// and no test takes five minutes then; on a busier machine both take longer. It is over before `go test` ends all tests.
func Limit() time.Duration {
	return min(Pace(slowest.Load()).Times(600, 5*time.Minute), 20*time.Minute)
}
