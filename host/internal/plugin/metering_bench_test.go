package plugin

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/tetratelabs/wazero"

	"github.com/hermes-cdp/hermes-cdp/abi"
)

// BenchmarkMetering is what it costs to bound the time of a guest: the same calls in a guest that nothing can stop, in
// a metered one, and in one that wazero's own interruption stops. With HERMES_GO_MODULES, the directory of `make
// plugins-go`, the modules built by Go are measured too.
func BenchmarkMetering(b *testing.B) {
	builds := map[string]string{"tinygo": filepath.Join("..", "..", "..", "plugins", "dist")}
	if folder := os.Getenv("HERMES_GO_MODULES"); folder != "" {
		builds["go"] = folder
	}
	for build, folder := range builds {
		for _, g := range []struct {
			module string
			hook   abi.Hook
			event  []byte
		}{
			{"dialog-policy", abi.HookDialog, dialogSample()},
			{"frame-filter", abi.HookFrames, framesSample(101)},
		} {
			wasm, err := os.ReadFile(filepath.Join(folder, g.module+".wasm"))
			if err != nil {
				b.Fatal(err)
			}
			engine := wazero.NewRuntimeConfigCompiler()
			b.Run(build+"/"+g.module, func(b *testing.B) {
				benchmarkSideBySide(b, g.hook, g.event, newUnbound(b, engine, wasm), newUnbound(b, engine, metered(b, wasm)),
					newUnbound(b, engine.WithCloseOnContextDone(true), wasm))
			})
		}
	}
}

// benchmarkSideBySide calls the guests in turn, some calls at a time, and reports the ratios of the medians: what else
// the machine does then slows all of them alike.
func benchmarkSideBySide(b *testing.B, hook abi.Hook, event []byte, plain, metered, interruptible *unbound) {
	const batch = 10
	guests := []*unbound{plain, metered, interruptible}
	took := make([][]time.Duration, len(guests))
	before := metered.fuel()
	for b.Loop() {
		for n, u := range guests {
			f := u.guest.ExportedFunction(string(hook))
			start := time.Now()
			for range batch {
				if status, err := u.call(f, event); err != nil || status > abi.StatusAbstain {
					b.Fatalf("status %d, %v, %s", status, err, u.reason)
				}
			}
			took[n] = append(took[n], time.Since(start))
		}
	}
	b.ReportMetric(float64(metered.fuel()-before)/float64(b.N*batch), "fuel/call")
	b.ReportMetric(0, "ns/op") // of all three together says nothing
	median := func(n int) float64 {
		slices.Sort(took[n])
		return float64(took[n][len(took[n])/2]) / batch
	}
	b.ReportMetric(median(0), "plain-ns/call")
	b.ReportMetric(median(1)/median(0), "metered/plain")
	b.ReportMetric(median(2)/median(0), "interruptible/plain")
}

func dialogSample() []byte {
	return (&abi.DialogEvent{
		Header: abi.Header{Sequence: 1, TaskID: "task-1", Revision: 1, RandomSeed: make([]byte, 16)}, DialogID: "d-1",
		Type: abi.DialogTypeConfirm, Message: "Leave this page?", URL: "https://example.com/a", Origin: "https://example.com",
		FrameID: "6B2F3C1E0D9A48B7A1C2D3E4F5061728", FrameKind: abi.FrameKindTop, TargetID: "6B2F3C1E0D9A48B7A1C2D3E4F5061728",
	}).Append(nil)
}

// framesSample is a top frame with so many frames in all.
func framesSample(frames int) []byte {
	event := abi.FramesEvent{Frames: []abi.Frame{{FrameID: "top", URL: "https://example.com/"}}}
	for i := range frames - 1 {
		event.Frames = append(event.Frames, abi.Frame{
			FrameID: "frame-" + string(rune('a'+i%26)) + string(rune('a'+i/26)), ParentFrameID: "top",
			URL: "https://ads.example.net/slot", Origin: "https://ads.example.net", Depth: 1, OOPIFDepth: 1,
		})
	}
	return event.Append(nil)
}
