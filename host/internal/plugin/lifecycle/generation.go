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
	StateDraining  = "draining" // replaced, with calls that are not finished
	StateRetired   = "retired"
	StateRefused   = "refused" // it never served
)

// Generation describes one module that served, or tried to.
type Generation struct {
	Number      int // from 1; refused ones have one too
	State       string
	SHA256      string
	ConfigHash  string
	Version     string
	Source      string
	Trigger     string
	Reason      string
	Error       string    // why it was refused, or ended by the host
	Since       time.Time // when it came into this service, or was refused
	Calls       uint64    // in service
	Faults      uint64    // of these, those that count against it
	Replayed    int
	Differences int
	NewPowers   []string // that the module in service had not when this one was loaded
}

// generation is a loaded module with the number of its users. A seat that holds it is one of them.
type generation struct {
	number int
	module *plugin.Module
	recipe recipe
	users  atomic.Int64
	ended  chan struct{} // closed when the module is
	close  func()        // closes the module
	fault  faultWindow

	// Guarded by the member's mu.
	entry   *entry       // in the history
	started plugin.Stats // what the steps before its service counted
	decided bool         // for someone: not only as a shadow
}

// acquire makes the caller a user. It fails when the module is being closed: then the seat has moved on.
func (g *generation) acquire() bool {
	for users := g.users.Load(); users > 0; users = g.users.Load() {
		if g.users.CompareAndSwap(users, users+1) {
			return true
		}
	}
	return false
}

// release ends one use. The last one closes the module on a goroutine of its own, as freeing its memory takes longer than
// a call that just ended should.
func (g *generation) release() {
	if g.users.Add(-1) == 0 {
		go g.close()
	}
}

// serves reports whether the module has the hook.
func (g *generation) serves(hook abi.Hook) bool { return g != nil && g.module.Serves(hook) }

// stats is what the module counted in its service.
func (g *generation) stats() plugin.Stats { return since(g.module.Stats(), g.started) }

// since takes away what was counted before. The longest and the dearest call stay those of all calls.
func since(s, before plugin.Stats) plugin.Stats {
	s.Calls -= before.Calls
	s.Decided -= before.Decided
	s.Abstained -= before.Abstained
	s.Errors -= before.Errors
	s.Busy -= before.Busy
	s.TotalTime -= before.TotalTime
	s.TotalFuel -= before.TotalFuel
	for kind, n := range before.Faults {
		if s.Faults[kind] -= n; s.Faults[kind] == 0 {
			delete(s.Faults, kind)
		}
	}
	return s
}

// plus adds what another generation counted; what is alive now is taken from both.
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

// seat is who answers for a plugin: it is replaced as a whole and never changed.
type seat struct {
	serving   *generation // nil: none is in service
	candidate *candidate  // nil: there is none
	outage    *outage     // why none is in service, or none on some hooks; nil while the host closes, and when the plugin was removed
}

// outage keeps a plugin's place while no module of it is fit to serve: the hooks that it had are the host's to decide,
// not those of the next plugin.
type outage struct {
	hooks  []abi.Hook
	reason error
}

func (o *outage) serves(hook abi.Hook) bool { return o != nil && slices.Contains(o.hooks, hook) }
