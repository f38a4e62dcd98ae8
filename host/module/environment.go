package module

import (
	"context"

	"github.com/hermes-cdp/hermes-cdp/abi"
	"github.com/hermes-cdp/hermes-cdp/abi/fakehost"
)

// Environment is what a call can access beyond its event and its configuration.
type Environment = fakehost.Environment

// CallIn is [Module.Call] in an environment.
func (m *Module) CallIn(ctx context.Context, in *Environment, hook abi.Hook, event []byte) (Result, error) {
	return m.callIn(ctx, in, hook, event, func([]byte) error { return nil })
}

// callIn turns a verdict that decode rejects into a fault.
func (m *Module) callIn(
	ctx context.Context, in *Environment, hook abi.Hook, event []byte, decode func(verdict []byte) error,
) (Result, error) {
	var verdict []byte
	res, err := m.plugin.CallIn(ctx, in, hook, event, func(v []byte) error {
		verdict = append([]byte{}, v...)
		return decode(v)
	})
	return Result{Status: res.Status, Verdict: verdict, Reason: res.Reason, Duration: res.Duration, Fuel: res.Fuel}, err
}
