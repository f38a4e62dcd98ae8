package plugin

import (
	"sync/atomic"
	"time"
)

// counters are updated without locks. Each is exact, but two of them may be read one call apart.
type counters struct {
	calls    atomic.Uint64
	decided  atomic.Uint64
	abstain  atomic.Uint64
	errors   atomic.Uint64
	busy     atomic.Uint64
	faults   [faultKinds]atomic.Uint64
	total    atomic.Int64
	longest  atomic.Int64
	took     [len(CallBounds)]atomic.Uint64
	fuel     atomic.Int64
	mostFuel atomic.Int64
	created  atomic.Uint64
	closed   atomic.Uint64
	recycled atomic.Uint64
	memory   atomic.Int64
}

// CallBounds are the bounds of [Stats.Durations]; 0 is no bound.
var CallBounds = [...]time.Duration{
	50 * time.Microsecond, 100 * time.Microsecond, 250 * time.Microsecond, 500 * time.Microsecond,
	time.Millisecond, 5 * time.Millisecond, 10 * time.Millisecond, 50 * time.Millisecond, 250 * time.Millisecond, 0,
}

// Stats is what a module has done since it was loaded.
type Stats struct {
	Calls     uint64            `json:"calls"`     // hook calls that reached the guest
	Decided   uint64            `json:"decided"`   // of these, with a verdict
	Abstained uint64            `json:"abstained"` // of these, abstained
	Errors    uint64            `json:"errors"`    // of these, with a reason why the guest could not decide
	Faults    map[string]uint64 `json:"faults"`    // by the name of the kind, without kinds that never happened
	Busy      uint64            `json:"busy"`      // calls that got no instance in time
	TotalTime time.Duration     `json:"total_ns"`  // in the guest, in nanoseconds
	MaxTime   time.Duration     `json:"max_ns"`    // the longest call, in nanoseconds
	// Durations count the calls that took longer than the previous of [CallBounds]; all together are Calls.
	Durations [len(CallBounds)]uint64 `json:"durations"`
	TotalFuel int64                   `json:"fuel"`     // used by all calls, in units
	MaxFuel   int64                   `json:"max_fuel"` // used by the most expensive call

	InstancesLive     int    `json:"instances_live"` // including those being created
	InstancesCreated  uint64 `json:"instances_created"`
	InstancesClosed   uint64 `json:"instances_closed"`   // for whatever reason
	InstancesRecycled uint64 `json:"instances_recycled"` // of these, healthy ones at a limit
	MemoryBytes       int64  `json:"memory_bytes"`       // linear memory of all live instances
	LogLinesDropped   uint64 `json:"log_lines_dropped"`
}

// FaultsCounted returns how many faults count against the module: all but those of callers that gave up.
func (s Stats) FaultsCounted() uint64 {
	var n uint64
	for name, count := range s.Faults {
		if name != FaultCanceled.String() {
			n += count
		}
	}
	return n
}

// Stats returns the module's counters.
func (m *Module) Stats() Stats {
	c := &m.counters
	s := Stats{
		Calls:             c.calls.Load(),
		Decided:           c.decided.Load(),
		Abstained:         c.abstain.Load(),
		Errors:            c.errors.Load(),
		Faults:            map[string]uint64{},
		Busy:              c.busy.Load(),
		TotalTime:         time.Duration(c.total.Load()),
		MaxTime:           time.Duration(c.longest.Load()),
		TotalFuel:         c.fuel.Load(),
		MaxFuel:           c.mostFuel.Load(),
		InstancesLive:     m.pool.liveCount(),
		InstancesCreated:  c.created.Load(),
		InstancesClosed:   c.closed.Load(),
		InstancesRecycled: c.recycled.Load(),
		MemoryBytes:       c.memory.Load(),
		LogLinesDropped:   m.log.dropped.Load(),
	}
	for i := range c.took {
		s.Durations[i] = c.took[i].Load()
	}
	for _, kind := range FaultKinds() {
		if n := c.faults[kind].Load(); n > 0 {
			s.Faults[kind.String()] = n
		}
	}
	return s
}

// spent records the cost of a call.
func (c *counters) spent(res Result) {
	c.calls.Add(1)
	c.total.Add(int64(res.Duration))
	raise(&c.longest, int64(res.Duration))
	for i, bound := range CallBounds {
		if bound == 0 || res.Duration <= bound {
			c.took[i].Add(1)
			break
		}
	}
	c.fuel.Add(res.Fuel)
	raise(&c.mostFuel, res.Fuel)
}

// raise sets most to n if n is larger.
func raise(most *atomic.Int64, n int64) {
	for old := most.Load(); n > old; old = most.Load() {
		if most.CompareAndSwap(old, n) {
			return
		}
	}
}

// weigh updates the memory of an instance in the statistics.
func (c *counters) weigh(i *instance, bytes int64) {
	c.memory.Add(bytes - i.weighed)
	i.weighed = bytes
}
