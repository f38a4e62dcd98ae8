package lifecycle

import (
	"context"
	"path/filepath"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/hermes-cdp/hermes-cdp/abi"
	"github.com/hermes-cdp/hermes-cdp/plugins"
)

// BenchmarkSwapLatency is what callers see of swaps: how long their questions take while nothing changes, and while the
// shipped dialog policy is swapped ten times a second between two configurations, as an operator never would.
func BenchmarkSwapLatency(b *testing.B) {
	for _, c := range []struct {
		name    string
		swapped bool
	}{{"quiet", false}, {"swapping", true}} {
		b.Run(c.name, func(b *testing.B) { benchmarkSwaps(b, c.swapped) })
	}
}

func benchmarkSwaps(b *testing.B, swapped bool) {
	wasm, _ := plugins.Module(plugins.DialogPolicy)
	e := New(Options{
		CacheDir: filepath.Join(b.TempDir(), "cache"), // made by the host, for itself alone
		Fetch:    shelf{"policy": wasm}.fetch,
	})
	defer e.Close()
	if _, err := e.Add(b.Context(), plugins.DialogPolicy, Spec{Source: Source{Path: "policy"}, Hooks: abi.Hooks()}, "start"); err != nil {
		b.Fatal(err)
	}
	ctx, cancel := context.WithCancel(b.Context())
	var swapper sync.WaitGroup
	swaps := 0
	if swapped {
		swapper.Go(func() { swaps = swapUntil(ctx, b, e) })
	}
	event := abi.DialogEvent{Header: abi.Header{TaskID: "task"}, DialogID: "d-1", Type: abi.DialogTypeConfirm, Message: "Leave this page?"}
	var verdict abi.DialogVerdict
	question := Question{Hook: abi.HookDialog, Task: "task", Header: &event.Header, Encode: event.Append, Decode: verdict.Unmarshal}
	var took []time.Duration
	for b.Loop() {
		began := time.Now()
		if out := e.Ask(ctx0, question); !out.Decided {
			b.Fatalf("%+v", out)
		}
		took = append(took, time.Since(began))
	}
	cancel()
	swapper.Wait()
	slices.Sort(took)
	b.ReportMetric(float64(took[len(took)/2].Nanoseconds()), "p50-ns")
	b.ReportMetric(float64(took[len(took)*99/100].Nanoseconds()), "p99-ns")
	b.ReportMetric(float64(took[len(took)*999/1000].Nanoseconds()), "p99.9-ns")
	b.ReportMetric(float64(swaps), "swaps")
}

// swapUntil swaps ten times a second until ctx ends.
func swapUntil(ctx context.Context, b *testing.B, e *Engine) (swaps int) {
	beat := time.NewTicker(100 * time.Millisecond)
	defer beat.Stop()
	for {
		select {
		case <-ctx.Done():
			return swaps
		case <-beat.C:
		}
		policy := []string{"auto_accept", "auto_dismiss"}[swaps%2]
		_, err := e.Swap(ctx, plugins.DialogPolicy, Change{Source: Source{Path: "policy"}, Config: map[string]any{"policy": policy}})
		if ctx.Err() != nil {
			return swaps
		}
		if err != nil {
			b.Error(err)
			return swaps
		}
		swaps++
	}
}
