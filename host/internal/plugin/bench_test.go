package plugin

import (
	"context"
	"testing"

	"github.com/hermes-cdp/hermes-cdp/abi"
)

// BenchmarkCall is a whole call through the pool: the guest reads an event of 200 bytes and writes a constant verdict.
func BenchmarkCall(b *testing.B) {
	m := load(b, "ok", Limits{})
	event := make([]byte, 200)
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	for name, ctx := range map[string]context.Context{"background": context.Background(), "cancelable": ctx} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := m.Call(ctx, abi.HookDialog, event, rejectGarbage); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
	b.Run("parallel", func(b *testing.B) {
		b.ReportAllocs()
		b.RunParallel(func(pb *testing.PB) {
			for pb.Next() {
				if _, err := m.Call(context.Background(), abi.HookDialog, event, rejectGarbage); err != nil {
					b.Error(err)
					return
				}
			}
		})
		b.ReportMetric(float64(m.Stats().MaxTime.Microseconds())/1000, "max-ms")
	})
}

// BenchmarkCallAfterFault is what a fault costs: the instance is closed and another one made.
func BenchmarkCallAfterFault(b *testing.B) {
	m := load(b, "trap", Limits{})
	b.ReportAllocs()
	for b.Loop() {
		if _, err := m.Call(context.Background(), abi.HookDialog, nil, nil); err == nil {
			b.Fatal("no fault")
		}
	}
}

func BenchmarkLoad(b *testing.B) {
	source := Source{Name: "ok", Bytes: fixture(b, "ok")}
	for name, opts := range map[string]Options{"cold": {}, "cached": {CacheDir: b.TempDir() + "/cache"}} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				m, err := Load(context.Background(), source, opts)
				if err != nil {
					b.Fatal(err)
				}
				if err := m.Close(); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
