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

// usual is more than a browser takes to start on a machine that has nothing else to do.
const usual = 500 * time.Millisecond

// Patience is a time that is enough on such a machine, and as much longer here as the start of a browser has taken.
func Patience(enough time.Duration) time.Duration {
	return time.Duration(float64(enough) * max(1, float64(slowest.Load())/float64(usual)))
}

// Soon is enough for a call to have begun whatever it does.
func Soon() time.Duration { return Patience(usual) }

// Limit ends what hangs: a test, or a call that a test gives all the time that it needs. Tools take no timeout above
// ten minutes.
func Limit() time.Duration { return min(Patience(5*time.Minute), 10*time.Minute) }
