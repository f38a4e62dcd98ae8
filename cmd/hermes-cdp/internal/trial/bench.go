package trial

import (
	"context"
	"errors"
	"os"
	"runtime"
	"time"

	"github.com/hermes-cdp/hermes-cdp/abi"
	"github.com/hermes-cdp/hermes-cdp/host/module"
)

// Measurement is what a module costs.
type Measurement struct {
	SHA256         string        `json:"sha256"`
	Bytes          int           `json:"bytes"`          // of the file
	ColdLoad       time.Duration `json:"cold_load_ns"`   // with an empty cache of compiled code, in nanoseconds
	WarmLoad       time.Duration `json:"warm_load_ns"`   // with the code in the cache, in nanoseconds
	InstanceMemory int64         `json:"instance_bytes"` // linear memory of one instance after the calls
	Hooks          []HookCost    `json:"hooks"`
}

// HookCost is what a call of one hook costs with one event.
type HookCost struct {
	Hook       abi.Hook `json:"hook"`
	Payload    string   `json:"payload"` // small, large or given
	EventBytes int      `json:"event_bytes"`
	Calls      int      `json:"calls"`           // that were measured
	PerCall    float64  `json:"ns_per_call"`     // wall time in nanoseconds
	Allocs     float64  `json:"allocs_per_call"` // of the host
	AllocBytes float64  `json:"bytes_per_call"`  // of the host
	Fuel       int64    `json:"fuel_per_call"`   // in units; the same on every machine
	Outcome    string   `json:"outcome"`         // decided, abstain, error, or the kind of a fault
}

// BenchOptions say how a module is measured.
type BenchOptions struct {
	Time  time.Duration // about how long each hook is called with each event
	Hook  string        // only this one; empty: all
	Event []byte        // JSON, in place of the made-up events; needs a hook, or a module that has one only

	Progress func(done, all int64) // is told how many measurements are made, and how many there are; may be nil
}

// Bench measures a module. A hook that faults is not called again; its row says so.
func Bench(ctx context.Context, wasm []byte, opts module.Options, o BenchOptions) (Measurement, error) {
	cache, err := os.MkdirTemp("", "hermes-plugin-code-") // 0700, as the host wants it
	if err != nil {
		return Measurement{}, err
	}
	defer os.RemoveAll(cache)
	opts.CacheDir, opts.Logger = "", nil // the trial is not to fill the cache
	if err := module.Try(ctx, wasm, opts, calls(wasm, o.Hook, o.Event)...); err != nil {
		return Measurement{}, err
	}
	opts.CacheDir = cache
	out := Measurement{Bytes: len(wasm)}
	if out.ColdLoad, err = loadTime(ctx, wasm, opts); err != nil {
		return Measurement{}, err
	}
	if out.WarmLoad, err = loadTime(ctx, wasm, opts); err != nil {
		return Measurement{}, err
	}
	m, err := module.Open(ctx, wasm, opts)
	if err != nil {
		return Measurement{}, err
	}
	defer func() { _ = m.Close() }() // what it measured counts
	out.SHA256 = m.SHA256()
	hooks := m.Hooks()
	if o.Hook != "" || len(o.Event) > 0 {
		hook, err := ChooseHook(o.Hook, hooks)
		if err != nil {
			return Measurement{}, err
		}
		hooks = []abi.Hook{hook}
	}
	if out.Hooks, err = benchHooks(ctx, m, hooks, o); err != nil {
		return Measurement{}, err
	}
	if stats := m.Stats(); stats.InstancesLive > 0 {
		out.InstanceMemory = stats.MemoryBytes / int64(stats.InstancesLive)
	}
	return out, nil
}

func loadTime(ctx context.Context, wasm []byte, opts module.Options) (time.Duration, error) {
	start := time.Now()
	m, err := module.Open(ctx, wasm, opts)
	took := time.Since(start)
	if err != nil {
		return 0, err
	}
	return took, m.Close()
}

// benchHooks measures each hook with each event.
func benchHooks(ctx context.Context, m *module.Module, hooks []abi.Hook, o BenchOptions) ([]HookCost, error) {
	type pair struct {
		hook abi.Hook
		with payload
	}
	var pairs []pair
	for _, hook := range hooks {
		list := payloads(hook)
		if len(o.Event) > 0 {
			event, err := eventOf(hook, o.Event)
			if err != nil {
				return nil, err
			}
			list = []payload{{"given", event}}
		}
		for _, p := range list {
			pairs = append(pairs, pair{hook, p})
		}
	}
	var costs []HookCost
	for i, p := range pairs {
		if o.Progress != nil {
			o.Progress(int64(i), int64(len(pairs)))
		}
		cost, err := benchCall(ctx, m, p.hook, p.with, o.Time)
		if err != nil {
			return nil, err
		}
		costs = append(costs, cost)
	}
	return costs, nil
}

// benchCall doubles the number of calls until they take long enough; the last round counts.
func benchCall(ctx context.Context, m *module.Module, hook abi.Hook, p payload, long time.Duration) (HookCost, error) {
	cost := HookCost{Hook: hook, Payload: p.name, EventBytes: len(p.event)}
	for n := 1; ; n *= 2 {
		r, err := callTimes(ctx, m, hook, p.event, n)
		var fault *module.Fault
		if errors.As(err, &fault) && ctx.Err() == nil {
			cost.Outcome = fault.Kind.String()
			return cost, nil
		}
		if err != nil {
			return cost, err
		}
		calls := float64(n)
		cost.Calls, cost.PerCall = n, float64(r.took.Nanoseconds())/calls
		cost.Allocs, cost.AllocBytes = float64(r.allocs)/calls, float64(r.bytes)/calls
		cost.Fuel, cost.Outcome = r.last.Fuel, r.last.Status.String()
		if r.took >= long {
			return cost, nil
		}
	}
}

// round is what some calls took together.
type round struct {
	took          time.Duration
	allocs, bytes uint64 // of the whole process, which does nothing else
	last          module.Result
}

func callTimes(ctx context.Context, m *module.Module, hook abi.Hook, event []byte, n int) (r round, err error) {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	start := time.Now()
	for range n {
		if r.last, err = m.Call(ctx, hook, event); err != nil {
			return r, err
		}
	}
	r.took = time.Since(start)
	runtime.ReadMemStats(&after)
	r.allocs, r.bytes = after.Mallocs-before.Mallocs, after.TotalAlloc-before.TotalAlloc
	return r, nil
}
