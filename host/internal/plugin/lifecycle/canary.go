package lifecycle

import (
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/hermes-cdp/hermes-cdp/host/internal/plugin"
)

// What ends a canary.
const (
	DropOnFault      = "fault"      // a call on which it failed
	DropOnDifference = "difference" // a compared call that it decided otherwise
	DropOnFuel       = "fuel"       // its calls take more than twice the fuel of those of the module in service
)

// DropReasons lists them.
func DropReasons() []string { return []string{DropOnFault, DropOnDifference, DropOnFuel} }

// Canary says for which share of the tasks a candidate decides, and when the engine promotes or drops it by itself. The
// zero value is a candidate that only shadows.
type Canary struct {
	Share        float64  `json:"share,omitempty"`         // of all tasks, in percent; which ones follows from their names
	PromoteAfter uint64   `json:"promote_after,omitempty"` // calls that it answered, for real or compared; 0: never
	DropOn       []string `json:"drop_on,omitempty"`
}

// has reports whether a task is in the share. It is the same tasks in every process, and a larger share has those of a
// smaller one too.
func (c Canary) has(plugin, task string) bool {
	if c.Share <= 0 || task == "" {
		return false
	}
	sum := sha256.Sum256([]byte(plugin + "\x00" + task))
	return float64(binary.BigEndian.Uint64(sum[:]))/math.MaxUint64*100 < c.Share
}

// triggerCanary is the trigger of a promotion that nobody asked for.
const triggerCanary = "canary"

// fuelCalls is how many compared calls an average of fuel needs, and fuelFactor how much more may be used.
const (
	fuelCalls  = 20
	fuelFactor = 2
)

// evidence is what is known of a canary. It begins again with the process.
type evidence struct {
	answered           uint64
	compared           uint64 // of these with fuel
	ownFuel, otherFuel int64
	concluded          bool
}

// observe adds a call that the candidate answered. The other answer is that of the module in service; nil: the
// candidate decided for real.
func (e *Engine) observe(c *candidate, own answer, other *answer, differs bool) {
	c.mu.Lock()
	c.evidence.answered++
	if other != nil && own.result.Fuel > 0 && other.result.Fuel > 0 {
		c.evidence.compared++
		c.evidence.ownFuel += own.result.Fuel
		c.evidence.otherFuel += other.result.Fuel
	}
	reason, promote := c.canary.judge(&c.evidence, own, differs)
	if reason == "" || c.evidence.concluded {
		c.mu.Unlock()
		return
	}
	c.evidence.concluded = true
	c.mu.Unlock()
	if !e.begin() {
		return
	}
	go func() {
		defer e.work.Done()
		e.conclude(c, reason, promote)
	}()
}

// judge says why a canary ends now; empty: it goes on.
func (c Canary) judge(e *evidence, own answer, differs bool) (reason string, promote bool) {
	var failed *plugin.Fault
	fault := errors.As(own.err, &failed) && failed.Kind != plugin.FaultCanceled
	switch {
	case fault && slices.Contains(c.DropOn, DropOnFault), fault && failed.Kind == plugin.FaultFuel && slices.Contains(c.DropOn, DropOnFuel):
		return "it failed: " + own.detail, false
	case differs && slices.Contains(c.DropOn, DropOnDifference):
		return "it decided a compared call otherwise", false
	case e.compared >= fuelCalls && e.ownFuel > fuelFactor*e.otherFuel && slices.Contains(c.DropOn, DropOnFuel):
		return fmt.Sprintf("it used %d units of fuel per call on %d compared calls, and the module in service %d",
			e.ownFuel/int64(e.compared), e.compared, e.otherFuel/int64(e.compared)), false
	case c.PromoteAfter > 0 && e.answered >= c.PromoteAfter:
		return fmt.Sprintf("it has answered %d calls without a reason to drop it", e.answered), true
	}
	return "", false
}

// conclude promotes or drops a candidate, unless it has left its seat.
func (e *Engine) conclude(c *candidate, reason string, promote bool) {
	m := c.member
	_, end, err := e.turn(e.running, m)
	if err != nil {
		return // the host is closing, or the plugin was removed
	}
	defer end()
	s := m.seat.Load()
	if s.candidate != c {
		return
	}
	if promote {
		err := e.checkPromotion(m, c)
		if err == nil {
			m.replace(e, c.generation, triggerCanary, reason)
			e.concluded(m, Promoted, c.generation, reason)
			return
		}
		reason = "it cannot be promoted: " + err.Error()
	}
	m.count(func(t *Tally) { t.Returns++ })
	e.drop(m, s, reason)
	e.log.Warn("a candidate was dropped by its rules", "plugin", m.name, "generation", c.generation.number, "reason", reason)
	e.options.Changed()
	e.concluded(m, Dropped, c.generation, reason)
}

// What the engine does with a module by itself.
const (
	Promoted = "promoted"  // a candidate, by the rules of its canary
	Dropped  = "dropped"   // a candidate, by those rules
	WentBack = "went back" // to a module that served before, after too many faults
	GaveUp   = "gave up"   // after too many faults, with no module left
)

// Conclusion is a change that the engine made by itself.
type Conclusion struct {
	Plugin, Did string
	Generation  Generation // that was promoted, dropped, gone back to, or given up
	Reason      string
}

func (e *Engine) concluded(m *member, did string, g *generation, reason string) {
	if e.options.Concluded != nil {
		e.options.Concluded(Conclusion{Plugin: m.name, Did: did, Generation: m.describe(g), Reason: reason})
	}
}
