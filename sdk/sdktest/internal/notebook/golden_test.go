//go:build !(tinygo.wasm || wasip1)

package main

import (
	"strings"
	"testing"

	"github.com/hermes-cdp/hermes-cdp/abi"
	"github.com/hermes-cdp/hermes-cdp/sdk/sdktest"
)

// The same table runs on the built module in package sdktest.
func TestGoldenTableNatively(t *testing.T) { sdktest.Run(t, "testdata/golden.json", sdktest.Native) }

func TestAPanicIsAnErrorWithItsStack(t *testing.T) {
	runner, err := sdktest.Native(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	event := (&abi.DialogEvent{Message: "panic over nothing"}).Append(nil)
	_, err = runner.Call(t.Context(), abi.HookDialog, event)
	if err == nil || !strings.HasPrefix(err.Error(), "the plugin panicked: over nothing\n") || !strings.Contains(err.Error(), "main.stumble") && !strings.Contains(err.Error(), "notebook.stumble") {
		t.Errorf("error is %v", err)
	}
	event = (&abi.DialogEvent{Message: "list"}).Append(nil) // and the plugin can be called again
	in := &sdktest.Environment{Capabilities: []abi.Capability{abi.CapabilityKV}}
	if got, err := runner.CallIn(t.Context(), in, abi.HookDialog, event); err != nil || got.Status != abi.StatusDecided {
		t.Errorf("got %+v (%v)", got, err)
	}
}
