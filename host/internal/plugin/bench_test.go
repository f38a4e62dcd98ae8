package plugin

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/hermes-cdp/hermes-cdp/abi"
	"github.com/hermes-cdp/hermes-cdp/host/internal/plugin/guestio"
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

// BenchmarkStore is what a plugin's store costs, without the call into the host: 100 keys with values of 100 bytes, of
// which one is read or replaced. A durable one also remembers what is to be saved.
func BenchmarkStore(b *testing.B) {
	value := make([]byte, 100)
	keys := make([]string, 100)
	for i := range keys {
		keys[i] = fmt.Sprintf("key%03d", i)
	}
	for name, durable := range map[string]bool{"memory": false, "durable": true} {
		var store guestio.Store
		if durable {
			store.Saving()
		}
		env := store.Environment("p", "t", guestio.Quota{Durable: durable}, nil)
		for _, key := range keys {
			env.KVSet(key, value)
		}
		n := 0
		next := func() string { n++; return keys[n%len(keys)] }
		for operation, f := range map[string]func() abi.Code{
			"get":             func() abi.Code { _, code := env.KVGet(next()); return code },
			"set":             func() abi.Code { return env.KVSet(next(), value) },
			"set-ttl":         func() abi.Code { return env.KVSetTTL(next(), value, time.Hour) },
			"compare-and-set": func() abi.Code { return env.KVCompareAndSet(next(), value, value, 0) },
			"list":            func() abi.Code { _, code := env.KVList("key"); return code },
		} {
			b.Run(name+"/"+operation, func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					if code := f(); code != 0 {
						b.Fatal(code)
					}
				}
			})
		}
	}
}
