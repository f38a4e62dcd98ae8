package plugin

import (
	"context"
	"fmt"
	"testing"

	"github.com/hermes-cdp/hermes-cdp/abi"
)

// BenchmarkCallByShape is a hook call of a guest that reads its event and gives it back, by the number of instances, of
// concurrent callers, and by the size of the event.
func BenchmarkCallByShape(b *testing.B) {
	for _, instances := range []int{1, 2, 8} {
		for _, callers := range []int{1, 8} {
			for _, bytes := range []int{100, 4 << 10, 60 << 10} {
				name := fmt.Sprintf("instances=%d/callers=%d/event=%dB", instances, callers, bytes)
				b.Run(name, func(b *testing.B) { benchmarkShape(b, instances, callers, bytes) })
			}
		}
	}
}

func benchmarkShape(b *testing.B, instances, callers, bytes int) {
	m := load(b, "echo", Limits{Instances: instances})
	event := make([]byte, bytes)
	b.SetBytes(int64(bytes))
	b.ReportAllocs()
	if callers == 1 {
		for b.Loop() {
			if _, err := m.Call(context.Background(), abi.HookDialog, event, nil); err != nil {
				b.Fatal(err)
			}
		}
		return
	}
	b.SetParallelism(callers)
	b.RunParallel(func(turns *testing.PB) {
		for turns.Next() {
			if _, err := m.Call(context.Background(), abi.HookDialog, event, nil); err != nil {
				b.Error(err)
			}
		}
	})
}
