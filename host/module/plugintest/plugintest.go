// Package plugintest runs built modules in tests by the host's own runtime: [Wasm] is for package sdktest what its
// Native is.
package plugintest

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/hermes-cdp/hermes-cdp/abi"
	"github.com/hermes-cdp/hermes-cdp/host/module"
	"github.com/hermes-cdp/hermes-cdp/sdk/sdktest"
)

// patience replaces the host's time limits: whether a decision is right does not depend on how busy the machine is.
const patience = time.Minute

// Wasm starts a built module in the host's runtime. It replaces the configuration in opts, and time limits that are not
// set with one minute.
func Wasm(wasm []byte, opts module.Options) sdktest.Opener {
	return func(ctx context.Context, config abi.Struct) (sdktest.Runner, error) {
		opts := opts
		opts.Config = config
		opts.Limits.InitTimeout = cmp.Or(opts.Limits.InitTimeout, patience)
		opts.Limits.HookTimeout = cmp.Or(opts.Limits.HookTimeout, patience)
		m, err := module.Open(ctx, wasm, opts)
		var refused *module.LoadError
		if errors.As(err, &refused) && refused.Step == "init" {
			return nil, &sdktest.InitError{Reason: refused.Detail}
		}
		if err != nil {
			return nil, withTrace(err)
		}
		return wasmRunner{m}, nil
	}
}

type wasmRunner struct{ *module.Module }

func (w wasmRunner) Call(ctx context.Context, hook abi.Hook, event []byte) (sdktest.Result, error) {
	return w.CallIn(ctx, new(sdktest.Environment), hook, event)
}

func (w wasmRunner) CallIn(ctx context.Context, in *sdktest.Environment, hook abi.Hook, event []byte) (sdktest.Result, error) {
	got, err := w.Module.CallIn(ctx, in, hook, event)
	if errors.Is(err, module.ErrNoHook) {
		return sdktest.Result{}, sdktest.ErrNoHook
	}
	if err != nil {
		return sdktest.Result{}, withTrace(err)
	}
	return sdktest.Result{Status: got.Status, Verdict: got.Verdict, Reason: got.Reason}, nil
}

// withTrace adds the stack trace of a fault. The error already has its message.
func withTrace(err error) error {
	var fault *module.Fault
	if !errors.As(err, &fault) || fault.Trace == "" {
		return err
	}
	return fmt.Errorf("%w\n%s", err, fault.Trace)
}

func (w wasmRunner) Hooks() []abi.Hook {
	hooks := w.Module.Hooks()
	slices.Sort(hooks)
	return hooks
}
