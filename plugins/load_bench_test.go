package plugins_test

import (
	"path/filepath"
	"testing"

	"github.com/hermes-cdp/hermes-cdp/abi"
	"github.com/hermes-cdp/hermes-cdp/host/module"
	"github.com/hermes-cdp/hermes-cdp/plugins"
)

// BenchmarkLoad measures a shipped module from its bytes to its first verdict: with an empty cache directory, and with
// one that has its compiled code.
func BenchmarkLoad(b *testing.B) {
	first := map[string]struct {
		hook  abi.Hook
		event []byte
	}{
		plugins.DialogPolicy: {abi.HookDialog, (&abi.DialogEvent{DialogID: "d-1", Type: abi.DialogTypeConfirm}).Append(nil)},
		plugins.FrameFilter:  {abi.HookFrames, (&abi.FramesEvent{Frames: []abi.Frame{{FrameID: "F", Kind: abi.FrameKindTop}}}).Append(nil)},
		plugins.BridgeScript: {abi.HookBridgeScript, (&abi.BridgeScriptEvent{PauseToken: "a", RequestToken: "b"}).Append(nil)},
	}
	for _, name := range plugins.Names() {
		wasm, _ := plugins.Module(name)
		start := func(b *testing.B, cache string) {
			m, err := module.Open(b.Context(), wasm, module.Options{Name: name, CacheDir: cache})
			if err != nil {
				b.Fatal(err)
			}
			if _, err := m.Call(b.Context(), first[name].hook, first[name].event); err != nil {
				b.Fatal(err)
			}
			if err := m.Close(); err != nil {
				b.Fatal(err)
			}
		}
		b.Run(name+"/cold", func(b *testing.B) {
			for b.Loop() {
				start(b, filepath.Join(b.TempDir(), "new"))
			}
		})
		b.Run(name+"/warm", func(b *testing.B) {
			cache := filepath.Join(b.TempDir(), "new") // the host creates it, private to this user
			start(b, cache)
			for b.Loop() {
				start(b, cache)
			}
		})
	}
}
