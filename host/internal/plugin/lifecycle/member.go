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

// maxEarlier is how many earlier modules of a plugin are kept to go back to, each with its bytes.
const maxEarlier = 8

// member is a plugin: a name with the modules that serve, served and tried to serve under it.
type member struct {
	name    string
	shipped bool

	settings atomic.Pointer[settings] // written by who has the turn, as is the seat
	seat     atomic.Pointer[seat]
	turn     chan struct{} // has room for the one who may change the plugin

	// Owned by who has the turn.
	removed bool
	config  map[string]any // of the module in service, or of the last one that was
	earlier []recipe       // what good modules were made from, the newest last; never that of the one in service

	mu        sync.Mutex // guards what follows
	numbers   int        // that were given to generations
	history   []*entry   // oldest first
	past      plugin.Stats
	tally     Tally
	lastFault LastFault
}

// Tally counts the changes of a plugin.
type Tally struct {
	Swaps   uint64 // modules that came into service after the first, for whatever reason
	Refused uint64 // that failed a step
	Returns uint64 // changes that the host made by itself because of faults
	// Shadow calls of all candidates: those that were compared, differed, or were left out as the candidate was busy.
	Compared, Differing, Skipped uint64
}

// LastFault is the newest fault of a plugin that counts against it.
type LastFault struct {
	Time   time.Time // zero: there was none
	Kind   string
	Detail string
}

// entry is a line of the history. A generation that is alive adds what it counts.
type entry struct {
	Generation
	live *generation
}

// settings are what a plugin is given beside its modules and their configuration. They are replaced as a whole and never
// changed.
type settings struct {
	priority     int
	limits       plugin.Limits
	capabilities []abi.Capability
	hooks        []abi.Hook
	ignoreExtra  bool
	trust        trust
	config       map[string]any
}

func (s Spec) settings() *settings {
	return &settings{
		priority: s.Priority, limits: s.Limits.WithDefaults(), capabilities: slices.Clone(s.Capabilities),
		hooks: slices.Clone(s.Hooks), ignoreExtra: s.IgnoreExtraHooks, trust: s.trust(), config: s.Config,
	}
}

func newMember(name string, s Spec) *member {
	m := &member{name: name, shipped: s.Shipped, turn: make(chan struct{}, 1)}
	m.settings.Store(s.settings())
	m.seat.Store(&seat{})
	return m
}

// number gives the next generation its number.
func (m *member) number() int {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.numbers++
	return m.numbers
}

// remember adds to the history, and forgets the oldest of those that are not alive; mu is held.
func (m *member) remember(line *entry) {
	m.history = append(m.history, line)
	if len(m.history) <= maxHistory {
		return
	}
	if oldest := slices.IndexFunc(m.history, func(e *entry) bool { return e.live == nil }); oldest >= 0 {
		m.history = slices.Delete(m.history, oldest, oldest+1)
	}
}

// enter says in the history that a generation has a service from now on. Its calls are counted from then.
func (m *member) enter(g *generation, state, trigger, reason string, now time.Time) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if g.entry.State == "" {
		m.remember(g.entry)
	}
	g.started = g.module.Stats()
	g.decided = g.decided || state == StateServing
	g.entry.State, g.entry.Since = state, now
	if trigger != "" {
		g.entry.Trigger, g.entry.Reason = trigger, reason
	}
}

// leave ends the service of a generation that is in no seat any more.
func (m *member) leave(g *generation) {
	m.mu.Lock()
	g.entry.State = StateDraining
	m.mu.Unlock()
	g.release()
}

// bury takes over what a closed generation counted.
func (m *member) bury(g *generation) {
	m.mu.Lock()
	defer m.mu.Unlock()
	counted := g.stats()
	g.entry.State, g.entry.live = StateRetired, nil
	g.entry.Calls, g.entry.Faults = counted.Calls, counted.FaultsCounted()
	if g.decided {
		m.past = plus(m.past, counted)
	}
}

// describe returns the line of a generation.
func (m *member) describe(g *generation) Generation {
	m.mu.Lock()
	defer m.mu.Unlock()
	return g.entry.now()
}

// now is the line with what counts at this moment; the member's mu is held.
func (l *entry) now() Generation {
	out := l.Generation
	if l.live != nil {
		counted := l.live.stats()
		out.Calls, out.Faults = counted.Calls, counted.FaultsCounted()
	}
	return out
}

// stats is what all generations of the plugin counted that decided for someone.
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

// refuse gives what failed a step its place in the history.
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

// keep remembers what a good module was made from.
func (m *member) keep(r recipe) {
	m.earlier = slices.DeleteFunc(m.earlier, r.same)
	m.earlier = append(m.earlier, r)
	if len(m.earlier) > maxEarlier {
		m.earlier = slices.Delete(m.earlier, 0, 1)
	}
}
