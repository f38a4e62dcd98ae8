package lifecycle

import (
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/hermes-cdp/hermes-cdp/abi"
	"github.com/hermes-cdp/hermes-cdp/host/internal/plugin"
)

// maxHistory is how many generations of a plugin are remembered.
const maxHistory = 100

// maxEarlier is how many earlier modules of a plugin are kept for rollbacks, each with its bytes.
const maxEarlier = 8

// member is a plugin: a name with the modules that serve, have served or were refused under it.
type member struct {
	name    string
	shipped bool

	settings atomic.Pointer[settings] // written by the holder of the turn, like the seat
	seat     atomic.Pointer[seat]
	turn     chan struct{} // a semaphore of 1: the right to change the plugin

	// Owned by the holder of the turn:
	removed bool
	config  map[string]any // of the module in service, or of the last one
	earlier []recipe       // how good modules were made, latest last; never that of the one in service
	// lastGood is what the next process falls back to while another module than the configured one serves.
	lastGood *good
	// added is the specification of a plugin that an operator added; nil: it is configured.
	added *Spec
	// withdrawn says that an operator took the plugin out of service, though it is configured; nil otherwise.
	withdrawn *withdrawal

	lines lines // what its modules write

	mu        sync.Mutex // guards the following
	numbers   int        // generation numbers assigned so far
	history   []*entry   // oldest first
	past      plugin.Stats
	tally     Tally
	lastFault LastFault
	base      base   // the configuration beside which the module in service was chosen
	unlike    string // why another module than the configured one was started; empty: it was not
	unkept    string // why the next process would not know what serves; empty: it would, or nothing is kept
}

// Tally counts the changes of a plugin.
type Tally struct {
	Swaps   uint64 // modules put into service after the first, for whatever reason
	Refused uint64 // modules that failed a step
	Returns uint64 // changes that the host made because of faults
	// Shadow calls of all candidates: compared, with a difference, and left out because the candidate was busy.
	Compared, Differing, Skipped uint64
}

// LastFault is the latest fault of a plugin that counts against it.
type LastFault struct {
	Time   time.Time // zero: none
	Kind   string
	Detail string
}

// entry is a line of the history. A live generation adds its counts.
type entry struct {
	Generation
	live *generation
}

// settings belong to a plugin rather than to its modules and their configuration. They are replaced as a whole and
// never modified.
type settings struct {
	priority     int
	limits       plugin.Limits
	capabilities []abi.Capability
	functions    []string
	hooks        []abi.Hook
	ignoreExtra  bool
	trust        trust
	source       Source
	config       map[string]any
	configWins   bool
	spec         Spec
	digest       string // of the whole specification
}

func (s Spec) settings() *settings {
	return &settings{
		priority: s.Priority, limits: s.Limits.WithDefaults(), capabilities: slices.Clone(s.Capabilities), functions: slices.Clone(s.Functions),
		hooks: slices.Clone(s.Hooks), ignoreExtra: s.IgnoreExtraHooks, trust: s.trust(), source: s.Source, config: s.Config,
		configWins: s.ConfigWins, spec: s, digest: s.digest(),
	}
}

func newMember(name string, s Spec) *member {
	m := &member{name: name, shipped: s.Shipped, turn: make(chan struct{}, 1)}
	m.settings.Store(s.settings())
	m.seat.Store(&seat{})
	return m
}

// number assigns the number of the next generation.
func (m *member) number() int {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.numbers++
	return m.numbers
}

// remember adds to the history, and forgets the oldest entry that is not alive. mu is held.
func (m *member) remember(line *entry) {
	m.history = append(m.history, line)
	if len(m.history) <= maxHistory {
		return
	}
	if oldest := slices.IndexFunc(m.history, func(e *entry) bool { return e.live == nil }); oldest >= 0 {
		m.history = slices.Delete(m.history, oldest, oldest+1)
	}
}

// enterService records that the service of a generation begins, and counts its calls from then on.
func (m *member) enterService(g *generation, state, trigger, reason string, now time.Time) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if g.entry.State == "" {
		m.remember(g.entry)
	}
	g.started = g.module.Stats()
	g.decided = g.decided || state == StateServing
	g.entry.State, g.entry.Since = state, now
	g.phase.set(map[string]string{StateServing: DuringService, StateCandidate: DuringCandidacy}[state])
	if trigger != "" {
		g.entry.Trigger, g.entry.Reason = trigger, reason
	}
}

// leaveService ends the service of a generation that is no longer in a seat.
func (m *member) leaveService(g *generation) {
	m.mu.Lock()
	g.entry.State = StateDraining
	m.mu.Unlock()
	g.release()
}

// recordClosed stores the final counts of a closed generation.
func (m *member) recordClosed(g *generation) {
	m.mu.Lock()
	defer m.mu.Unlock()
	counted := g.stats()
	g.entry.State, g.entry.live = StateRetired, nil
	g.entry.count(counted)
	if g.decided {
		m.past = plus(m.past, counted)
	}
}

// describe returns the history entry of a generation.
func (m *member) describe(g *generation) Generation {
	m.mu.Lock()
	defer m.mu.Unlock()
	return g.entry.now()
}

// now is the entry with its current counts. mu of the member is held.
func (l *entry) now() Generation {
	out := l.Generation
	if l.live != nil {
		counted := l.live.stats()
		out.count(counted)
	}
	return out
}

// count takes what the module has counted.
func (g *Generation) count(s plugin.Stats) {
	g.Calls, g.Faults, g.Fuel, g.TotalTime = s.Calls, s.FaultsCounted(), s.TotalFuel, s.TotalTime
}

// stats adds up all generations of the plugin that have decided.
func (m *member) stats() plugin.Stats {
	m.mu.Lock()
	defer m.mu.Unlock()
	sum := m.past
	for _, line := range m.history {
		if g := line.live; g != nil && g.decided {
			sum = plus(sum, g.stats())
		}
	}
	return sum
}

// refuse records a module that failed a step.
func (m *member) refuse(line *entry, err error, now time.Time) {
	line.State, line.Error, line.Since = StateRefused, err.Error(), now
	m.mu.Lock()
	defer m.mu.Unlock()
	m.remember(line)
	m.tally.Refused++
}

func (m *member) count(change func(*Tally)) {
	m.mu.Lock()
	defer m.mu.Unlock()
	change(&m.tally)
}

// keepRecipe remembers how a good module was made.
func (m *member) keepRecipe(r recipe) {
	m.earlier = slices.DeleteFunc(m.earlier, r.same)
	m.earlier = append(m.earlier, r)
	if len(m.earlier) > maxEarlier {
		m.earlier = slices.Delete(m.earlier, 0, 1)
	}
}
