package lifecycle

import (
	"cmp"
	"context"
	"fmt"
	"iter"
	"log/slog"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/hermes-cdp/hermes-cdp/abi"
	"github.com/hermes-cdp/hermes-cdp/host/fault"
	"github.com/hermes-cdp/hermes-cdp/host/internal/plugin"
	"github.com/hermes-cdp/hermes-cdp/host/internal/plugin/guestio"
	"github.com/hermes-cdp/hermes-cdp/host/internal/plugin/journal"
	"github.com/hermes-cdp/hermes-cdp/host/internal/plugin/keep"
	"github.com/hermes-cdp/hermes-cdp/host/internal/plugin/trial"
	"github.com/hermes-cdp/hermes-cdp/host/internal/span"
	"github.com/hermes-cdp/hermes-cdp/internal/signer"
)

// Journal records hook calls. Both methods are called concurrently, and Add during every call.
type Journal interface {
	Add(journal.Entry)
	// Recent returns the latest calls of a plugin, oldest first, without the shadow calls of candidates.
	Recent(plugin string, most int) []journal.Entry
}

// Options configure an engine. Only Fetch is required.
type Options struct {
	Logger   *slog.Logger // nil: nothing is logged
	CacheDir string       // for compiled modules; empty: nothing is cached
	Fetch    Fetch
	// Shipped returns the module of that name that comes with the host, which is the last one that a plugin goes back
	// to; may be nil.
	Shipped func(name string) (wasm []byte, ok bool)
	// DialogFailClosed says that a plugin that decides on dialogs does not go back to the shipped module, whose rules
	// are different.
	DialogFailClosed bool
	// CheckConfig checks a configuration against the JSON schema of a manifest; may be nil.
	CheckConfig func(schema string, config map[string]any) error
	// AgentTools are the tools of a plugin, by their names in its manifest, that agents have now. No change takes one away
	// that it does not name. Nil: no agent has any.
	AgentTools func(plugin string) []string
	// CheckTools checks the tools of a manifest; may be nil.
	CheckTools func([]abi.ManifestTool) error
	// Trial says how modules are tried in a child process before they run in this one; nil: they are not. Trusted
	// reports whether a module with that hash needs no trial; may be nil.
	Trial   *trial.Options
	Trusted func(sha256 string) bool
	// CheckPolicies checks the policies in the manifest of a module that decides on dialogs; may be nil.
	CheckPolicies func(plugin string, policies []string) error
	Journal       Journal // nil: calls are not recorded, so new modules are not tried on them
	// Masker hides secrets in what the engine shows, and learns them from every call; nil: the engine has its own.
	Masker *journal.Masker
	// TaskConfig returns a task's own configuration of a plugin; may be nil.
	TaskConfig func(task, plugin string) abi.Struct
	// Environment returns what a module can ask for during a call for a task. Fork returns the same with a copy of the
	// store, for calls without effect. Both may be nil.
	Environment, Fork func(task, plugin string) guestio.Environment
	// Faults within FaultWindow make a plugin go back to an earlier module; 0 or less: it never does.
	Faults      int
	FaultWindow time.Duration
	// Natives are code of this program that decides beside the modules. Their names are not those of plugins.
	Natives []Native
	// Functions are those of the embedder, which a specification grants by name.
	Functions []plugin.Grant
	// Keep keeps what serves for the next process; nil: nothing is kept, and KeepProblem says why if that is an error.
	Keep        *keep.Store
	KeepProblem error
	// VerifySigstore verifies the bundles of kept modules; nil: none is valid.
	VerifySigstore signer.Verifier
	// Changed is called on the goroutine of a change when plugins or their hooks have changed; may be nil.
	Changed func()
	// Concluded is told of each change that the engine made by itself; may be nil.
	Concluded func(Conclusion)
	// Now is the clock; nil: the system clock.
	Now func() time.Time
}

// Engine holds the plugins of a host. They are asked in order of priority, highest first. With equal priority, those
// that are not shipped come first, then they are sorted by name. All methods are safe for concurrent use.
type Engine struct {
	// Spans are those of the calls that work on tasks.
	Spans span.Tasks

	options  Options
	natives  []*native // in the order in which they are asked
	log      *slog.Logger
	sequence atomic.Uint64 // of hook calls
	asking   atomic.Int64  // calls in flight
	order    atomic.Pointer[[]*member]
	running  context.Context // ends with Close, as does every change in progress
	stop     context.CancelCauseFunc

	mu     sync.Mutex // guards the following; see the lock order of the package
	closed bool
	work   sync.WaitGroup // changes and shadow calls; added to under mu, and not after Close
	alive  map[*generation]struct{}
	// withdrawn are the configured plugins that an operator took out of service.
	withdrawn map[string]withdrawal
}

// New returns an engine without plugins.
func New(o Options) *Engine {
	if o.Logger == nil {
		o.Logger = slog.New(slog.DiscardHandler)
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Masker == nil {
		o.Masker = journal.NewMasker()
	}
	if o.Changed == nil {
		o.Changed = func() {}
	}
	e := &Engine{options: o, natives: newNatives(o.Natives), log: o.Logger, alive: map[*generation]struct{}{}, withdrawn: map[string]withdrawal{}}
	e.running, e.stop = context.WithCancelCause(context.Background())
	e.order.Store(&[]*member{})
	return e
}

// begin registers work unless the engine is closed.
func (e *Engine) begin() bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.closed {
		return false
	}
	e.work.Add(1)
	return true
}

// turn waits for the right to change a plugin. The context that it returns ends with ctx and with the engine.
func (e *Engine) turn(ctx context.Context, m *member) (change context.Context, end func(), err error) {
	if !e.begin() {
		return nil, nil, plugin.ErrClosed
	}
	change, cancel := context.WithCancelCause(ctx)
	forget := context.AfterFunc(e.running, func() { cancel(plugin.ErrClosed) })
	leave := func() {
		forget()
		cancel(nil)
		e.work.Done()
	}
	select {
	case m.turn <- struct{}{}:
	case <-change.Done():
		err := context.Cause(change)
		leave()
		return nil, nil, err
	}
	if change.Err() != nil || m.removed {
		err := context.Cause(change)
		<-m.turn
		leave()
		return nil, nil, cmp.Or(err, e.unknown(m.name))
	}
	return change, func() { <-m.turn; leave() }, nil
}

// change is turn for a plugin given by name.
func (e *Engine) change(ctx context.Context, name string) (*member, context.Context, func(), error) {
	m, err := e.member(name)
	if err != nil {
		return nil, nil, nil, err
	}
	change, end, err := e.turn(ctx, m)
	return m, change, end, err
}

func (e *Engine) members() []*member { return *e.order.Load() }

// member finds a plugin by name. The error is ErrUnknownPlugin or [plugin.ErrClosed].
func (e *Engine) member(name string) (*member, error) {
	for _, m := range e.members() {
		if m.name == name {
			return m, nil
		}
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.closed {
		return nil, plugin.ErrClosed
	}
	return nil, e.unknown(name)
}

func (e *Engine) unknown(name string) error {
	var names []string
	for _, m := range e.members() {
		names = append(names, m.name)
	}
	return fmt.Errorf("%w %q; there are %q, and the configuration adds others (plugins.NAME.path)", fault.ErrUnknownPlugin, name, names)
}

// Add puts a plugin into service. On an error nothing has changed; it is a [*plugin.LoadError], wraps ErrKnownPlugin,
// or is [plugin.ErrClosed].
func (e *Engine) Add(ctx context.Context, name string, s Spec, trigger string) (Generation, error) {
	return e.add(ctx, name, s, addition{trigger: trigger})
}

// addition says how a plugin is added.
type addition struct {
	trigger, reason string
	kept            bool // the next process has it without a configuration
}

func (e *Engine) add(ctx context.Context, name string, s Spec, how addition) (Generation, error) {
	m := newMember(name, s)
	change, end, err := e.turn(ctx, m)
	if err != nil {
		return Generation{}, err
	}
	defer end()
	if _, err := e.member(name); err == nil {
		return Generation{}, fmt.Errorf("%w: %q; swap its module", fault.ErrKnownPlugin, name)
	}
	if _, err := e.recall(m); err != nil {
		e.log.Warn("the history of a plugin is lost", "plugin", name, "error", err)
	}
	if how.kept {
		m.added = &s
	}
	g, err := e.try(change, m, attempt{source: s.Source, config: s.Config, trigger: how.trigger, reason: how.reason})
	if err != nil {
		return Generation{}, err
	}
	m.serve(e, g, nil, "", "")
	if !e.enlist(m) {
		e.retire(m)
		return Generation{}, fmt.Errorf("%w: %q; swap its module", fault.ErrKnownPlugin, name)
	}
	e.save(m)
	e.options.Changed()
	return m.describe(g), nil
}

// enlist adds a plugin in its place in the order, unless there is one of that name by now.
func (e *Engine) enlist(m *member) bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	list := slices.Clone(e.members())
	taken := slices.ContainsFunc(e.natives, func(n *native) bool { return n.Name == m.name })
	if taken || slices.ContainsFunc(list, func(other *member) bool { return other.name == m.name }) {
		return false
	}
	list = append(list, m)
	delete(e.withdrawn, m.name)
	slices.SortStableFunc(list, before)
	e.order.Store(&list)
	return true
}

// before orders plugins as they are asked.
func before(a, b *member) int {
	shipped := func(m *member) int {
		if m.shipped {
			return 1
		}
		return 0
	}
	return cmp.Or(cmp.Compare(b.settings.Load().priority, a.settings.Load().priority), cmp.Compare(shipped(a), shipped(b)), cmp.Compare(a.name, b.name))
}

// Remove removes a plugin. Its module finishes the calls in flight. The error is ErrUnknownPlugin or
// [plugin.ErrClosed].
func (e *Engine) Remove(ctx context.Context, name string) error {
	m, _, end, err := e.change(ctx, name)
	if err != nil {
		e.mu.Lock()
		delete(e.withdrawn, name) // nothing of it is there to be put back
		e.mu.Unlock()
		return err
	}
	defer end()
	e.leave(m, "")
	return nil
}

// leave takes a plugin out of service. The caller has its turn.
func (e *Engine) leave(m *member, reason string) {
	e.mu.Lock()
	list := slices.DeleteFunc(slices.Clone(e.members()), func(other *member) bool { return other == m })
	e.order.Store(&list)
	e.mu.Unlock()
	m.removed = true
	left := m.lostHooks(nil, nil)
	e.retire(m)
	if m.withdrawn == nil {
		e.forget(m)
	}
	e.log.Info("plugin removed", "plugin", m.name, "reason", reason)
	e.warnOfLostHooks("the plugin that served these hooks was removed", m.name, left)
	e.options.Changed()
}

// retire empties a plugin's seat. The caller has its turn.
func (e *Engine) retire(m *member) {
	old := m.seat.Swap(&seat{})
	if old.serving != nil {
		m.leaveService(old.serving)
	}
	if old.candidate != nil {
		m.leaveService(old.candidate.generation)
	}
}

// Close ends every change, waits for the calls in flight, which their deadlines bound, and closes all modules. Later
// calls return [plugin.ErrClosed]. Only the first Close waits.
func (e *Engine) Close() {
	e.mu.Lock()
	if e.closed {
		e.mu.Unlock()
		return
	}
	e.closed = true
	e.mu.Unlock()
	e.stop(plugin.ErrClosed)
	e.work.Wait()
	for _, m := range e.members() {
		e.save(m) // with what was counted
		e.retire(m)
	}
	e.order.Store(&[]*member{})
	e.mu.Lock()
	var alive []*generation
	for g := range e.alive {
		alive = append(alive, g)
	}
	e.mu.Unlock()
	for _, g := range alive {
		<-g.ended
	}
}

// Asking returns how many hook calls are in flight, including those that wait for an instance.
func (e *Engine) Asking() int { return int(e.asking.Load()) }

// Serves reports whether any plugin decides on the hook. One that is out of service counts: the host decides in its
// place.
func (e *Engine) Serves(hook abi.Hook) bool {
	for range e.deciders(hook) {
		return true
	}
	return false
}

// Deciders tells which modules decide on the hook now: another answer means that they, or their configurations, have
// changed. Empty: no plugin decides on it.
func (e *Engine) Deciders(hook abi.Hook) string {
	var list []byte
	for name, generation := range e.deciders(hook) {
		list = fmt.Appendf(list, "%s/%d ", name, generation)
	}
	return string(list)
}

// deciders are the plugins that decide on the hook with the numbers of their generations, 0 for those that have none.
func (e *Engine) deciders(hook abi.Hook) iter.Seq2[string, int] {
	return func(yield func(string, int) bool) {
		for _, n := range e.natives {
			if n.serves(hook) && !yield(n.Name, 0) {
				return
			}
		}
		for _, m := range e.members() {
			s := m.seat.Load()
			switch {
			case s.serving.serves(hook) && !yield(m.name, s.serving.number),
				s.outage.serves(hook) && !yield(m.name, 0),
				s.candidate.real() && s.candidate.generation.serves(hook) && !yield(m.name, s.candidate.generation.number):
				return
			}
		}
	}
}

// Deadline is how long the modules of a hook may take together.
func (e *Engine) Deadline(hook abi.Hook) time.Duration {
	var total time.Duration
	for _, n := range e.natives {
		if n.serves(hook) {
			total += n.Timeout
		}
	}
	for _, m := range e.members() {
		s := m.seat.Load()
		if s.serving.serves(hook) || s.candidate.real() && s.candidate.generation.serves(hook) {
			total += m.settings.Load().limits.HookTimeout
		}
	}
	return total
}
