package host

import (
	"path/filepath"
	"testing"

	"github.com/hermes-cdp/hermes-cdp/abi"
)

// BenchmarkStart measures the time to the first verdict of a host with the shipped plugins: with an empty directory for
// compiled code, and with one that has it.
func BenchmarkStart(b *testing.B) {
	start := func(b *testing.B, cache string) {
		h, err := New(b.Context(), &Options{PluginCacheDir: cache})
		if err != nil {
			b.Fatal(err)
		}
		event := abi.DialogEvent{DialogID: "d-1", Type: abi.DialogTypeConfirm}
		if out := h.plugins.Ask(b.Context(), questionAbout("task", &event, nil)); !out.Decided {
			b.Fatalf("no verdict: %s", out.Fault)
		}
		b.StopTimer()
		if err := h.Close(b.Context()); err != nil {
			b.Fatal(err)
		}
		b.StartTimer()
	}
	b.Run("cold", func(b *testing.B) {
		for b.Loop() {
			start(b, filepath.Join(b.TempDir(), "cache"))
		}
	})
	b.Run("warm", func(b *testing.B) {
		cache := filepath.Join(b.TempDir(), "cache") // made by the host, for itself alone
		start(b, cache)
		for b.Loop() {
			start(b, cache)
		}
	})
}
