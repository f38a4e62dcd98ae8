package lifecycle

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/hermes-cdp/hermes-cdp/abi"
	"github.com/hermes-cdp/hermes-cdp/host/fault"
	"github.com/hermes-cdp/hermes-cdp/host/internal/plugin"
	"github.com/hermes-cdp/hermes-cdp/host/internal/plugin/guestio"
	"github.com/hermes-cdp/hermes-cdp/host/internal/plugin/journal"
)

// maxDifferences is how many differences of a candidate are listed. All are counted.
const maxDifferences = 100

// Difference is a call on which a candidate decided otherwise. The answers are verdicts as JSON, or outcomes, with
// secrets masked.
type Difference struct {
	Sequence  uint64
	Time      time.Time
	Task      string
	Hook      string
	Subject   string
	Serving   string
	Candidate string
}

// Shadow describes a candidate.
type Shadow struct {
	Generation  Generation
	Tasks       []string // tasks for which it decides
	Canary      Canary
	Answered    uint64 // calls, for real or compared, since the process began or the candidate was put there
	Compared    uint64
	Differing   uint64
	Skipped     uint64       // calls left out because it was busy
	Differences []Difference // the latest ones, oldest first
}

// candidate is a module beside the one in service.
type candidate struct {
	member     *member
	generation *generation
	tasks      []string
	canary     Canary
	drop       []abi.Hook    // hooks that the plugin may lose with it
	dropTools  []string      // and tools that agents may lose
	room       chan struct{} // limits concurrent shadow calls

	mu          sync.Mutex // guards what follows
	compared    uint64
	differing   uint64
	skipped     uint64
	differences []Difference
	evidence    evidence
}

// serves reports whether the candidate decides for a task.
func (c *candidate) serves(task string) bool {
	return slices.Contains(c.tasks, task) || c.canary.has(c.member.name, task)
}

// real reports whether there is a candidate that decides for any task.
func (c *candidate) real() bool { return c != nil && (len(c.tasks) > 0 || c.canary.Share > 0) }

// Shadow loads a candidate as Swap would load a module, and shows it live events from then on. Its verdicts are
// compared and not used, except for the tasks that the change names. An earlier candidate is dropped. For the error see
// Swap.
func (e *Engine) Shadow(ctx context.Context, name string, c Change) (Shadow, error) {
	m, change, end, err := e.change(ctx, name)
	if err != nil {
		return Shadow{}, err
	}
	defer end()
	g, err := e.try(change, m, m.attempt(c))
	if err != nil {
		return Shadow{}, err
	}
	next := e.stand(m, g, c)
	e.save(m)
	e.options.Changed()
	return next.describe(), nil
}

// stand puts a candidate beside the module in service. The caller has the turn.
func (e *Engine) stand(m *member, g *generation, c Change) *candidate {
	next := &candidate{member: m, generation: g, tasks: slices.Clone(c.Tasks), canary: c.Canary, drop: c.DropHooks, dropTools: c.DropTools, room: make(chan struct{}, max(1, m.settings.Load().limits.Instances/2))}
	m.enterService(g, StateCandidate, "", "", e.options.Now())
	if next.real() {
		m.mu.Lock()
		g.decided = true
		m.mu.Unlock()
	}
	s := m.seat.Load()
	m.seat.Store(&seat{serving: s.serving, outage: s.outage, candidate: next})
	if s.candidate != nil {
		m.leaveService(s.candidate.generation)
	}
	e.log.Info("plugin candidate", "plugin", m.name, "generation", g.number, "sha256", g.recipe.sha256, "source", g.recipe.source, "tasks", c.Tasks)
	return next
}

// Candidate describes the candidate of a plugin. The error is ErrNoCandidate or ErrUnknownPlugin.
func (e *Engine) Candidate(name string) (Shadow, error) {
	m, err := e.member(name)
	if err != nil {
		return Shadow{}, err
	}
	c := m.seat.Load().candidate
	if c == nil {
		return Shadow{}, noCandidate(name)
	}
	return c.describe(), nil
}

func noCandidate(name string) error {
	return fmt.Errorf("%w of plugin %q; put one beside it first", fault.ErrNoCandidate, name)
}

// Promote puts the candidate into service: the same module, without loading it again. The error is ErrNoCandidate, or
// see Swap.
func (e *Engine) Promote(ctx context.Context, name, reason string) (Generation, error) {
	m, _, end, err := e.change(ctx, name)
	if err != nil {
		return Generation{}, err
	}
	defer end()
	c := m.seat.Load().candidate
	if c == nil {
		return Generation{}, noCandidate(name)
	}
	if err := e.checkPromotion(m, c); err != nil {
		return Generation{}, err
	}
	m.replace(e, c.generation, "promote", reason)
	return m.describe(c.generation), nil
}

// checkPromotion refuses a candidate that may not serve: there may be another module in service by now.
func (e *Engine) checkPromotion(m *member, c *candidate) error {
	if c.generation.fault.condemned() {
		return fmt.Errorf("%w of plugin %q is fit to serve: it failed too often", fault.ErrNoCandidate, m.name)
	}
	if left := m.lostHooks(c.generation.module.Info().Hooks, c.drop); len(left) > 0 {
		return &plugin.LoadError{Step: plugin.StepHooks, Module: m.name, SHA256: c.generation.recipe.sha256, Detail: leaves(left)}
	}
	if lost := e.lostTools(m, c.generation.module.Info().Manifest, c.dropTools); len(lost) > 0 {
		return &plugin.LoadError{Step: plugin.StepTools, Module: m.name, SHA256: c.generation.recipe.sha256, Detail: losesTools(lost)}
	}
	return nil
}

// Drop ends the candidate. The error is ErrNoCandidate, or see Swap.
func (e *Engine) Drop(ctx context.Context, name string) (Generation, error) {
	m, _, end, err := e.change(ctx, name)
	if err != nil {
		return Generation{}, err
	}
	defer end()
	s := m.seat.Load()
	if s.candidate == nil {
		return Generation{}, noCandidate(name)
	}
	g := s.candidate.generation
	e.drop(m, s, "")
	e.options.Changed()
	return m.describe(g), nil
}

// drop takes the candidate out of a seat. The caller has the turn. The reason, if any, is for the history.
func (e *Engine) drop(m *member, s *seat, reason string) {
	g := s.candidate.generation
	m.seat.Store(&seat{serving: s.serving, outage: s.outage})
	m.mu.Lock()
	g.entry.Error = reason
	m.mu.Unlock()
	m.leaveService(g)
	e.save(m)
	e.log.Info("plugin candidate dropped", "plugin", m.name, "generation", g.number)
}

func (c *candidate) describe() Shadow {
	line := c.member.describe(c.generation)
	c.mu.Lock()
	defer c.mu.Unlock()
	return Shadow{
		Generation: line, Tasks: slices.Clone(c.tasks), Canary: c.canary, Answered: c.evidence.answered, Compared: c.compared, Differing: c.differing, Skipped: c.skipped,
		Differences: slices.Clone(c.differences),
	}
}

// shadow shows a candidate a call of the plugin, concurrently and without delaying it. A candidate that is busy with as
// many calls as it may have is not asked.
func (e *Engine) shadow(c *candidate, a pluginCall) {
	select {
	case c.room <- struct{}{}:
	default:
		c.skip()
		return
	}
	if !c.generation.acquire() { // it was dropped or promoted meanwhile
		<-c.room
		return
	}
	if !e.begin() {
		c.generation.release()
		<-c.room
		return
	}
	go func() {
		defer e.work.Done()
		defer func() { <-c.room }()
		defer c.generation.release()
		e.compare(c, a)
	}()
}

func (c *candidate) skip() {
	c.mu.Lock()
	c.skipped++
	c.mu.Unlock()
	c.member.count(func(t *Tally) { t.Skipped++ })
}

// compare asks a candidate and compares its answer. On a hook that it does not serve it abstains.
func (e *Engine) compare(c *candidate, a pluginCall) {
	g, got := c.generation, answer{outcome: journal.OutcomeAbstained}
	var exchanges []guestio.Exchange
	if g.serves(a.hook) {
		fork := environmentOf(e.options.Fork, &a)
		if fork == nil {
			fork = guestio.NewPlayback(nil)
		}
		var recorder guestio.Recorder
		recorder.Reset(newOverlay(fork, a.exchanges))
		got = ask(e.running, g.module, &recorder, a.hook, a.event)
		if e.running.Err() != nil {
			return // the host is closing, so the call was cut short
		}
		exchanges = recorder.Exchanges()
		e.record(g, &a, got, exchanges, true)
	}
	differs := !got.equal(a.answer, a.hook)
	c.note(e, a, got, exchanges, differs)
	e.observe(c, got, &a.answer, differs)
	c.member.count(func(t *Tally) {
		t.Compared++
		if differs {
			t.Differing++
		}
	})
}

func (c *candidate) note(e *Engine, a pluginCall, got answer, exchanges []guestio.Exchange, differs bool) {
	if !differs {
		c.mu.Lock()
		defer c.mu.Unlock()
		c.compared++
		return
	}
	v := e.veil(&a, journal.Entry{Hook: a.hook, Config: c.generation.recipe.encoded, Exchanges: exchanges, Verdict: got.verdict})
	difference := Difference{
		Sequence: a.header.Sequence, Time: time.Unix(0, a.header.TimeUnixNano), Task: a.task, Hook: string(a.hook),
		Subject: v.Text(subject(a.hook, a.event)), Serving: a.answer.show(a.hook, v), Candidate: got.show(a.hook, v),
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.compared++
	c.differing++
	if len(c.differences) == maxDifferences {
		c.differences = slices.Delete(c.differences, 0, 1)
	}
	c.differences = append(c.differences, difference)
}
