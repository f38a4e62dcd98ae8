//go:build !(tinygo.wasm || wasip1)

package state_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/hermes-cdp/hermes-cdp/abi"
	"github.com/hermes-cdp/hermes-cdp/sdk/internal/guest"
	"github.com/hermes-cdp/hermes-cdp/sdk/state"
)

// answers is a host that has state under the key "task", and answers a code for others.
type answers struct {
	guest.Environment
	other abi.Code
}

func (a answers) StateGet(key string) ([]byte, abi.Code) {
	if key == "task" {
		return []byte(`{"id":"t-1"}`), 0
	}
	return nil, a.other
}

func get(t *testing.T, environment guest.Environment, granted []abi.Capability, key string) (text string, ok bool, err error) {
	t.Helper()
	guest.RunNative(&guest.Host{Environment: environment, Capabilities: granted}, func() {
		var value []byte
		value, ok, err = state.Get(key)
		text = string(value)
	})
	return text, ok, err
}

var granted = []abi.Capability{abi.CapabilityState}

func TestStateIsReadUnderItsKey(t *testing.T) {
	if text, ok, err := get(t, answers{}, granted, "task"); text != `{"id":"t-1"}` || !ok || err != nil {
		t.Errorf("got %q, %v (%v)", text, ok, err)
	}
}

func TestCodesOfTheHostAreErrors(t *testing.T) {
	for code, want := range map[abi.Code]error{
		abi.CodeNotFound:    nil,
		abi.CodeDenied:      state.ErrDenied,
		abi.CodeTooLarge:    state.ErrTooLarge,
		abi.CodeUnsupported: state.ErrUnsupported,
		abi.CodeInternal:    state.ErrInternal,
		abi.CodeBadMemory:   state.ErrInternal,
	} {
		if text, ok, err := get(t, answers{other: code}, granted, "other"); text != "" || ok || !errors.Is(err, want) {
			t.Errorf("%s: got %q, %v (%v)", code, text, ok, err)
		}
	}
}

func TestWithoutTheCapabilityStateIsDenied(t *testing.T) {
	if _, ok, err := get(t, answers{}, nil, "task"); ok || !errors.Is(err, state.ErrDenied) {
		t.Errorf("got %v (%v)", ok, err)
	}
}

func TestWithoutAnEnvironmentThereIsNoState(t *testing.T) {
	if _, ok, err := get(t, nil, granted, "task"); ok || err != nil {
		t.Errorf("got %v (%v)", ok, err)
	}
}

func TestAKeyIsShortUTF8(t *testing.T) {
	for _, key := range []string{"", "\xff", strings.Repeat("k", 257)} {
		if _, ok, err := get(t, answers{}, granted, key); ok || !errors.Is(err, state.ErrKey) {
			t.Errorf("%.10q: got %v (%v)", key, ok, err)
		}
	}
}
