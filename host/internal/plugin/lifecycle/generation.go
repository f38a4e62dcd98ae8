package lifecycle

import (
	"slices"
	"sync/atomic"
	"time"

	"github.com/hermes-cdp/hermes-cdp/abi"
	"github.com/hermes-cdp/hermes-cdp/host/internal/plugin"
)

// The states of a generation.
const (
	StateServing   = "serving"
	StateCandidate = "candidate"
	StateDraining  = "draining" // replaced, with calls in flight
	StateRetired   = "retired"
	StateRefused   = "refused" // it never served
)

// Generation describes a module that has served or was refused.
type Generation struct {
	Number      int // from 1; refused ones are numbered too
	State       string
	SHA256      string
	ConfigHash  string
	Version     string
	Source      string
	Trigger     string
	Reason      string
	Error       string    // why it was refused, or taken out of service by the host
	Since       time.Time // when its state began
	Calls       uint64    // in service
	Faults      uint64    // faults among them that count against it
	Fuel        int64     // that they used
	TotalTime   time.Duration
	Replayed    int
	Differences int
	NewPowers   []string // powers that the module in service did not have when this one was loaded
	Ungranted   string   // which capabilities it asks for and does not have; empty: none
	Unkept      string   // why the next process would not know of it; empty: it would, or nothing is kept
}

// generation is a loaded module with a count of its users. The seat that it is in is one of them.
type generation struct {
	number int
	module *plugin.Module
	recipe recipe
	users  atomic.Int64
	ended  chan struct{} // closed when the module is closed
	close  func()        // closes the module
	fault  faultWindow
	phase  *phase

	// Guarded by the member's mu.
	entry   *entry       // in the history
	started plugin.Stats // statistics before it came into service
	decided bool         // not only as a shadow
}

// acquire makes the caller a user. It fails if the module is being closed, as the seat has changed then.
func (g *generation) acquire() bool {
	for users := g.users.Load(); users > 0; users = g.users.Load() {
		if g.users.CompareAndSwap(users, users+1) {
			return true
		}
	}
	return false
}

// release ends one use. The last one closes the module on another goroutine, because releasing its memory would delay
// the call that just ended.
func (g *generation) release() {
	if g.users.Add(-1) == 0 {
		go g.close()
	}
}

// serves reports whether the module has the hook.
func (g *generation) serves(hook abi.Hook) bool { return g != nil && g.module.Serves(hook) }

// stats is what the module has counted since it came into service.
func (g *generation) stats() plugin.Stats { return since(g.module.Stats(), g.started) }

// since subtracts what was counted before. The maxima remain those of all calls.
func since(s, before plugin.Stats) plugin.Stats {
	s.Calls -= before.Calls
	s.Decided -= before.Decided
	s.Abstained -= before.Abstained
	s.Errors -= before.Errors
	s.Busy -= before.Busy
	s.TotalTime -= before.TotalTime
	s.TotalFuel -= before.TotalFuel
	for i, n := range before.Durations {
		s.Durations[i] -= n
	}
	for kind, n := range before.Faults {
		if s.Faults[kind] -= n; s.Faults[kind] == 0 {
			delete(s.Faults, kind)
		}
	}
	return s
}

// plus adds the counts of another generation, including what is alive now.
func plus(a, b plugin.Stats) plugin.Stats {
	sum := a
	sum.Faults = map[string]uint64{}
	for _, s := range []plugin.Stats{a, b} {
		for kind, n := range s.Faults {
			sum.Faults[kind] += n
		}
	}
	sum.Calls += b.Calls
	sum.Decided += b.Decided
	sum.Abstained += b.Abstained
	sum.Errors += b.Errors
	sum.Busy += b.Busy
	sum.TotalTime += b.TotalTime
	for i, n := range b.Durations {
		sum.Durations[i] += n
	}
	sum.MaxTime = max(a.MaxTime, b.MaxTime)
	sum.TotalFuel += b.TotalFuel
	sum.MaxFuel = max(a.MaxFuel, b.MaxFuel)
	sum.InstancesLive += b.InstancesLive
	sum.InstancesCreated += b.InstancesCreated
	sum.InstancesClosed += b.InstancesClosed
	sum.InstancesRecycled += b.InstancesRecycled
	sum.MemoryBytes += b.MemoryBytes
	sum.LogLinesDropped += b.LogLinesDropped
	return sum
}

// seat says who answers for a plugin. It is replaced as a whole and never modified.
type seat struct {
	serving   *generation // nil: none
	candidate *candidate  // nil: none
	// outage says why no module is in service, or none on some hooks. It is nil while the host is closing, and if the
	// plugin was removed.
	outage *outage
}

// outage keeps the place of a plugin without a fit module: the host decides on its hooks, not the next plugin.
type outage struct {
	hooks  []abi.Hook
	reason error
}

func (o *outage) serves(hook abi.Hook) bool { return o != nil && slices.Contains(o.hooks, hook) }
