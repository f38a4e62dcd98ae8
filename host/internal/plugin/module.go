package plugin

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"sync"
	"time"

	"github.com/tetratelabs/wazero"

	"github.com/hermes-cdp/hermes-cdp/abi"
	"github.com/hermes-cdp/hermes-cdp/host/internal/plugin/guestio"
)

// Module is one generation of a loaded module. All methods are safe for concurrent use.
type Module struct {
	info     Info
	limits   Limits
	fuel     int64 // of one hook call: the limit, or what the manifest asks for if that is less
	wished   bool  // fuel is what the manifest asks for
	config   []byte
	log      *guestLog
	runtime  wazero.Runtime
	cache    wazero.CompilationCache // nil if nothing is cached
	compiled wazero.CompiledModule
	serves   []bool // by the index of hooks

	importedFunctions uint64 // of the file; for stack traces

	mayStore bool // the capability kv is granted
	mayRead  bool // the capability state is granted

	pool     *pool
	stacks   sync.Pool // of *[]byte: the native stacks of closed instances
	counters counters
	closing  sync.Once
}

// Info identifies a loaded module in provenance.
type Info struct {
	Name         string        `json:"name"`
	SHA256       string        `json:"sha256"`        // of the binary, in hexadecimal
	ConfigSHA256 string        `json:"config_sha256"` // of the encoded configuration, in hexadecimal
	Bytes        int           `json:"bytes"`         // size of the binary
	Hooks        []abi.Hook    `json:"hooks"`
	Manifest     *abi.Manifest `json:"-"` // nil if the module has none

	Asked   []abi.Capability `json:"asked,omitempty"`   // capabilities that the manifest asks for
	Granted []abi.Capability `json:"granted,omitempty"` // capabilities that the operator granted, asked for or not
	// Ungranted says which capabilities the module asks for or imports and does not have, for people; empty: none.
	Ungranted string `json:"-"`

	Functions []Grant  `json:"functions,omitempty"` // of the embedder, that the module may import
	Calls     []string `json:"calls,omitempty"`     // of these, the names of those that it imports
}

// Has reports whether the operator granted the capability.
func (i Info) Has(c abi.Capability) bool { return slices.Contains(i.Granted, c) }

// Result is the outcome of a hook call.
type Result struct {
	Status   abi.Status
	Reason   string        // with abi.StatusError: the reason that the module gave, escaped; may be empty
	Duration time.Duration // in the guest, excluding the wait for an instance
	Fuel     int64         // used by the call, in units; the same on every machine
}

// Decode receives the verdict of a decided call before the instance goes back to the pool. The bytes belong to the
// instance and must not be kept. An error turns the call into a [FaultBadVerdict]: it counts against the module, and
// the instance is closed.
type Decode func(verdict []byte) error

// Info returns what identifies the module.
func (m *Module) Info() Info { return m.info }

// Limits returns what the module may use, with the defaults filled in.
func (m *Module) Limits() Limits { return m.limits }

// Serves reports whether the module exports the hook.
func (m *Module) Serves(hook abi.Hook) bool {
	i := hookIndex(hook)
	return i >= 0 && m.serves[i]
}

// Call is [Module.CallIn] without an environment.
func (m *Module) Call(ctx context.Context, hook abi.Hook, event []byte, decode Decode) (Result, error) {
	return m.CallIn(ctx, nil, hook, event, decode)
}

// CallIn is [Module.CallWhile] with one context for both.
func (m *Module) CallIn(ctx context.Context, env guestio.Environment, hook abi.Hook, event []byte, decode Decode) (Result, error) {
	return m.CallWhile(ctx, ctx, env, hook, event, decode)
}

// CallWhile runs a hook on an encoded event. It returns when the guest has stopped: at the latest when wait ends before
// an instance was available, when ctx ends, or when the call is out of time (Limits.HookTimeout) or fuel. An
// environment that does not return delays it; see [guestio.Environment]. With a nil environment, state and store are
// empty, and the store takes nothing.
//
// The error is a [*Fault], or wraps [ErrNoHook], [ErrEventTooLarge], [ErrBusy] or [ErrClosed]. A call that abstained or
// ended with a reason is not an error; see Result.Status. decode may be nil.
func (m *Module) CallWhile(ctx, wait context.Context, env guestio.Environment, hook abi.Hook, event []byte, decode Decode) (Result, error) {
	index, err := m.admit(hook, event)
	if err != nil {
		return Result{}, err
	}
	i, err := m.pool.acquire(wait)
	if err != nil {
		return Result{}, m.unavailable(hook, err)
	}
	reuse := false // stays false if decode panics
	defer func() { m.giveBack(i, reuse) }()
	res, err := i.call(ctx, env, index, event, decode)
	reuse = err == nil
	m.count(res, err)
	return res, err
}

// CallFresh is like [Module.CallIn], but on a new instance that is closed afterwards, so earlier calls cannot affect
// it: with the same event, configuration and answers of the environment, the guest does the same and uses the same
// fuel. Creating the instance may take Limits.InitTimeout; a failure is a [*Fault]. Such instances do not count towards
// Limits.Instances; the caller bounds their number.
func (m *Module) CallFresh(ctx context.Context, env guestio.Environment, hook abi.Hook, event []byte, decode Decode) (Result, error) {
	index, err := m.admit(hook, event)
	if err != nil {
		return Result{}, err
	}
	if err := m.pool.enter(); err != nil {
		return Result{}, m.unavailable(hook, err)
	}
	defer m.pool.work.Done()
	i, _, err := newInstance(ctx, m)
	if err != nil {
		m.countFault(err)
		return Result{}, err
	}
	m.born(i)
	defer func() {
		i.close()
		m.buried(i)
	}()
	res, err := i.call(ctx, env, index, event, decode)
	m.count(res, err)
	return res, err
}

// admit rejects calls that should not reach the guest.
func (m *Module) admit(hook abi.Hook, event []byte) (index int, err error) {
	index = hookIndex(hook)
	if index < 0 || !m.serves[index] {
		return 0, m.refuse(hook, fmt.Errorf("%w; it serves %v", ErrNoHook, m.info.Hooks))
	}
	if limit := m.limits.event(hook); len(event) > limit {
		return 0, m.refuse(hook, fmt.Errorf("%w: %d bytes of %d", ErrEventTooLarge, len(event), limit))
	}
	return index, nil
}

// unavailable is the error of a call that got no instance.
func (m *Module) unavailable(hook abi.Hook, err error) error {
	if errors.Is(err, ErrBusy) {
		m.counters.busy.Add(1)
	}
	if fault := (*Fault)(nil); errors.As(err, &fault) {
		return err
	}
	return m.refuse(hook, err)
}

func (m *Module) refuse(hook abi.Hook, err error) error {
	return fmt.Errorf("plugin %q (sha256 %s): %s: %w", m.info.Name, short(m.info.SHA256), hook, err)
}

func (m *Module) giveBack(i *instance, reuse bool) {
	if reuse && i.recyclable() {
		m.counters.recycled.Add(1)
		reuse = false
	}
	m.counters.weigh(i, i.memoryBytes())
	m.pool.release(i, reuse)
}

func (m *Module) count(res Result, err error) {
	m.counters.spent(res)
	if err != nil {
		m.countFault(err)
		return
	}
	switch res.Status {
	case abi.StatusDecided:
		m.counters.decided.Add(1)
	case abi.StatusAbstain:
		m.counters.abstain.Add(1)
	case abi.StatusError:
		m.counters.errors.Add(1)
	}
}

func (m *Module) countFault(err error) {
	var fault *Fault
	if !errors.As(err, &fault) {
		return
	}
	m.counters.faults[fault.Kind].Add(1)
	if _, ok := m.log.admit(); ok {
		m.log.logger.LogAttrs(context.Background(), slog.LevelWarn, "plugin fault", slog.String("hook", string(fault.Hook)),
			slog.String("kind", fault.Kind.String()), slog.String("detail", fault.Detail), slog.String("output", fault.Output))
	}
}

// Close rejects further calls, waits for those in flight, which their deadlines bound, and releases everything. Calls
// after it return [ErrClosed]. It may be called more than once. Every call returns once the module is closed.
func (m *Module) Close() error {
	var err error
	m.closing.Do(func() {
		m.pool.close()
		err = closeRuntime(m.runtime, m.cache)
	})
	return err
}

// closeRuntime closes the runtime before its cache, because the cache owns the engine that runs its code.
func closeRuntime(r wazero.Runtime, cache wazero.CompilationCache) error {
	err := r.Close(context.Background())
	if cache != nil {
		err = errors.Join(err, cache.Close(context.Background()))
	}
	return err
}
