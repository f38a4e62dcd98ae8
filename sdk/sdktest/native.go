package sdktest

import (
	"context"
	"fmt"
	"runtime/debug"
	"slices"
	"strings"

	"github.com/hermes-cdp/hermes-cdp/abi"
	"github.com/hermes-cdp/hermes-cdp/sdk/internal/guest"
)

// Native starts the plugin whose handlers this process has registered: use it in tests of the plugin's own package.
func Native(_ context.Context, config abi.Struct) (Runner, error) {
	n := native{config: config.Append(nil)}
	host := n.host(new(Environment), nil)
	if status := guest.InitNative(host); status != abi.StatusDecided {
		return nil, &InitError{host.Reason}
	}
	return n, nil
}

type native struct{ config []byte }

func (n native) host(in *Environment, event []byte) *guest.Host {
	return &guest.Host{
		Event:        event,
		Config:       n.config,
		Features:     abi.FeatureKV | abi.FeatureState | abi.FeatureEmbedder,
		Capabilities: in.Capabilities,
		Environment:  in,
	}
}

func (n native) Call(ctx context.Context, hook abi.Hook, event []byte) (Result, error) {
	return n.CallIn(ctx, new(Environment), hook, event)
}

func (n native) CallIn(_ context.Context, in *Environment, hook abi.Hook, event []byte) (res Result, err error) {
	defer func() {
		if message := recover(); message != nil {
			err = fmt.Errorf("the plugin panicked: %v\n%s", message, afterPanic(string(debug.Stack())))
		}
	}()
	host := n.host(in, event)
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

// afterPanic removes the frames of the recovery from a stack.
func afterPanic(stack string) string {
	if _, rest, ok := strings.Cut(stack, "panic("); ok {
		return "panic(" + rest
	}
	return stack
}

func (n native) Hooks() []abi.Hook {
	hooks := guest.NativeHooks()
	slices.Sort(hooks)
	return hooks
}

func (n native) Close() error { return nil }
