// Package sdktest runs a plugin in tests: natively, where it is code of the test binary like any other, and as the
// module that it was built into, by the host's own runtime. A table of cases runs the same on both.
package sdktest

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"time"

	"github.com/hermes-cdp/hermes-cdp/abi"
	"github.com/hermes-cdp/hermes-cdp/host/module"
	"github.com/hermes-cdp/hermes-cdp/sdk/internal/guest"
)

// Result is what a plugin answered.
type Result struct {
	Status  abi.Status
	Verdict []byte // encoded; only with abi.StatusDecided
	Reason  string // only with abi.StatusError
}

// Runner is a plugin that was started with a configuration.
type Runner interface {
	// Call runs a hook on an encoded event.
	Call(ctx context.Context, hook abi.Hook, event []byte) (Result, error)
	// Hooks lists the hooks that the plugin serves.
	Hooks() []abi.Hook
	// Close frees the plugin.
	Close() error
}

// Opener starts a plugin with a configuration. The error is an [*InitError] where the plugin refuses it.
type Opener func(ctx context.Context, config abi.Struct) (Runner, error)

// InitError says why a plugin refused its configuration.
type InitError struct{ Reason string }

// Error returns the plugin's reason.
func (e *InitError) Error() string { return e.Reason }

// ErrNoHook is returned by Call for a hook that the plugin does not serve.
var ErrNoHook = errors.New("sdktest: the plugin does not serve this hook")

// Native starts the plugin whose handlers the test binary registered: call it in a test of the plugin's own package.
func Native(_ context.Context, config abi.Struct) (Runner, error) {
	n := native{config: config.Append(nil)}
	host := n.host(nil)
	if status := guest.InitNative(host); status != abi.StatusDecided {
		return nil, &InitError{host.Reason}
	}
	return n, nil
}

type native struct{ config []byte }

func (n native) host(event []byte) *guest.Host { return &guest.Host{Event: event, Config: n.config} }

func (n native) Call(_ context.Context, hook abi.Hook, event []byte) (Result, error) {
	host := n.host(event)
	status, found := guest.CallNative(host, hook)
	switch {
	case !found:
		return Result{}, ErrNoHook
	case status == abi.StatusDecided:
		return Result{Status: status, Verdict: host.Result}, nil
	case status == abi.StatusError:
		return Result{Status: status, Reason: host.Reason}, nil
	default:
		return Result{Status: status}, nil
	}
}

func (n native) Hooks() []abi.Hook {
	hooks := guest.NativeHooks()
	slices.Sort(hooks)
	return hooks
}

func (n native) Close() error { return nil }

// patience replaces the host's time limits: whether a decision is right does not depend on how busy the machine is.
const patience = time.Minute

// Wasm starts a built module by the host's runtime. The configuration in opts is replaced, and time limits that it does
// not give are a minute.
func Wasm(wasm []byte, opts module.Options) Opener {
	return func(ctx context.Context, config abi.Struct) (Runner, error) {
		opts := opts
		opts.Config = config
		opts.Limits.InitTimeout = cmp.Or(opts.Limits.InitTimeout, patience)
		opts.Limits.HookTimeout = cmp.Or(opts.Limits.HookTimeout, patience)
		m, err := module.Open(ctx, wasm, opts)
		var refused *module.LoadError
		if errors.As(err, &refused) && refused.Step == "init" {
			return nil, &InitError{refused.Detail}
		}
		if err != nil {
			return nil, err
		}
		return wasmRunner{m}, nil
	}
}

type wasmRunner struct{ *module.Module }

func (w wasmRunner) Call(ctx context.Context, hook abi.Hook, event []byte) (Result, error) {
	got, err := w.Module.Call(ctx, hook, event)
	if errors.Is(err, module.ErrNoHook) {
		return Result{}, ErrNoHook
	}
	if err != nil {
		return Result{}, err
	}
	return Result{Status: got.Status, Verdict: got.Verdict, Reason: got.Reason}, nil
}

func (w wasmRunner) Hooks() []abi.Hook {
	hooks := w.Module.Hooks()
	slices.Sort(hooks)
	return hooks
}
