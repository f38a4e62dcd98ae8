package sdktest

import (
	"context"
	"errors"

	"github.com/hermes-cdp/hermes-cdp/abi"
	"github.com/hermes-cdp/hermes-cdp/abi/fakehost"
)

// Result is the result of a call.
type Result = fakehost.Answer

// Environment is what a call can access beyond its event and its configuration: capabilities, store and state.
type Environment = fakehost.Environment

// Runner is a plugin that runs with a configuration.
type Runner interface {
	// Call runs a hook on an encoded event, without capabilities.
	Call(ctx context.Context, hook abi.Hook, event []byte) (Result, error)
	// CallIn is Call in an environment, whose store the plugin may change. If the plugin crashes, the error has its
	// message, and a stack trace if the module has the names of functions.
	CallIn(ctx context.Context, in *Environment, hook abi.Hook, event []byte) (Result, error)
	// Hooks lists the hooks of the plugin, sorted.
	Hooks() []abi.Hook
	// Close frees the plugin.
	Close() error
}

// Opener starts a plugin with a configuration. The error is an [*InitError] if the plugin refuses it.
type Opener func(ctx context.Context, config abi.Struct) (Runner, error)

// InitError says why a plugin refused its configuration.
type InitError struct{ Reason string }

// Error returns the plugin's reason.
func (e *InitError) Error() string { return e.Reason }

// ErrNoHook is returned by Call and CallIn for a hook that the plugin does not serve.
var ErrNoHook = errors.New("sdktest: the plugin does not serve this hook")
