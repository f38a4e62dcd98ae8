package plugins_test

import (
	"strings"
	"testing"

	"github.com/hermes-cdp/hermes-cdp/abi"
	"github.com/hermes-cdp/hermes-cdp/host/module"
	"github.com/hermes-cdp/hermes-cdp/host/module/plugintest"
	"github.com/hermes-cdp/hermes-cdp/plugins"
	"github.com/hermes-cdp/hermes-cdp/sdk/sdktest"
)

func open(t testing.TB, name string, opts module.Options) sdktest.Runner {
	t.Helper()
	wasm, _ := plugins.Module(name)
	runner, err := plugintest.Wasm(wasm, opts)(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := runner.Close(); err != nil {
			t.Error(err)
		}
	})
	return runner
}

// nested is an object in an array in an object and so on.
func nested(depth int) abi.Value {
	value := abi.BoolValue(true)
	for i := range depth {
		if i%2 == 0 {
			value = abi.ListValue(value)
		} else {
			value = abi.StructValue(abi.Struct{{Key: "k", Value: value}})
		}
	}
	return value
}

func TestConfigurationThatNestsAsDeepAsAllowedFitsTheStackOfAModule(t *testing.T) {
	runner := open(t, plugins.DialogPolicy, module.Options{})
	event := abi.DialogEvent{Header: abi.Header{TaskConfig: abi.Struct{{Key: "deep", Value: nested(abi.MaxValueDepth - 1)}}}}
	got, err := runner.Call(t.Context(), abi.HookDialog, event.Append(nil))
	if err != nil || got.Status != abi.StatusError || !strings.Contains(got.Reason, `unknown key "deep"`) {
		t.Errorf("got %+v (%v)", got, err)
	}
	event.Header.TaskConfig[0].Value = nested(abi.MaxValueDepth)
	got, err = runner.Call(t.Context(), abi.HookDialog, event.Append(nil))
	if err != nil || got.Status != abi.StatusError || !strings.Contains(got.Reason, "configuration nests too deep") {
		t.Errorf("got %+v (%v)", got, err)
	}
}

func TestAnEventOfTheLargestSizeIsDecided(t *testing.T) {
	dialogs := open(t, plugins.DialogPolicy, module.Options{})
	event := abi.DialogEvent{Type: abi.DialogTypeAlert, Message: strings.Repeat("x", abi.DefaultEventBytes-16)}
	if got, err := dialogs.Call(t.Context(), abi.HookDialog, event.Append(nil)); err != nil || got.Status != abi.StatusDecided {
		t.Errorf("dialog-policy: got %+v (%v)", got, err)
	}
	var tree abi.FramesEvent
	for size := 0; size < abi.DefaultEventBytes-64; {
		tree.Frames = append(tree.Frames, abi.Frame{FrameID: "same"}) // no way to find a parent
		size += 8
	}
	frames := open(t, plugins.FrameFilter, module.Options{})
	if got, err := frames.Call(t.Context(), abi.HookFrames, tree.Append(nil)); err != nil || got.Status != abi.StatusDecided {
		t.Errorf("frame-filter with %d frames: got %+v (%v)", len(tree.Frames), got, err)
	}
}

// An instance that made garbage on each call would grow, and the host would have to replace it repeatedly.
func TestManyCallsStayWithinLittleMemory(t *testing.T) {
	dialogs := open(t, plugins.DialogPolicy, module.Options{Limits: module.Limits{
		MemoryBytes: 256 << 10, RecycleMemoryBytes: 256 << 10, CallsPerInstance: 1 << 30, Instances: 1,
	}})
	event := (&abi.DialogEvent{Type: abi.DialogTypePrompt, Message: strings.Repeat("m", 2000), DefaultPrompt: "p"}).Append(nil)
	for i := range 20_000 {
		if got, err := dialogs.Call(t.Context(), abi.HookDialog, event); err != nil || got.Status != abi.StatusDecided {
			t.Fatalf("call %d: %+v (%v)", i, got, err)
		}
	}
}

func BenchmarkDialogPolicy(b *testing.B) {
	event := abi.DialogEvent{
		Header: abi.Header{Sequence: 1, TaskID: "task-1", Revision: 1, RandomSeed: make([]byte, 16)}, DialogID: "d-1",
		Type: abi.DialogTypeConfirm, Message: "Leave this page?", URL: "https://example.com/a", Origin: "https://example.com",
		FrameID: "6B2F3C1E0D9A48B7A1C2D3E4F5061728", FrameKind: abi.FrameKindTop, TargetID: "6B2F3C1E0D9A48B7A1C2D3E4F5061728",
	}
	benchmark(b, open(b, plugins.DialogPolicy, module.Options{}), abi.HookDialog, event.Append(nil))
}

func BenchmarkFrameFilter100(b *testing.B) {
	event := abi.FramesEvent{Frames: []abi.Frame{{FrameID: "top", URL: "https://example.com/"}}}
	for i := range 100 {
		event.Frames = append(event.Frames, abi.Frame{
			FrameID: "frame-" + string(rune('a'+i%26)) + string(rune('a'+i/26)), ParentFrameID: "top",
			URL: "https://ads.example.net/slot", Origin: "https://ads.example.net", Depth: 1, OOPIFDepth: 1,
		})
	}
	benchmark(b, open(b, plugins.FrameFilter, module.Options{}), abi.HookFrames, event.Append(nil))
}

func benchmark(b *testing.B, runner sdktest.Runner, hook abi.Hook, event []byte) {
	b.ReportAllocs()
	for b.Loop() {
		if _, err := runner.Call(b.Context(), hook, event); err != nil {
			b.Fatal(err)
		}
	}
}
