package extism

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	extism "github.com/extism/go-sdk"

	"github.com/hermes-cdp/hermes-cdp/abi"
	"github.com/hermes-cdp/hermes-cdp/host/module"
)

// guests is the directory with hermes.wasm and extism.wasm.
var guests = flag.String("guests", "../../../../.cache/bench-extism", "`DIRECTORY` of the guests, which make bench-extism builds")

// caller runs the policy on an event. The verdict is valid until the next call.
type caller func(event []byte) (verdict []byte, err error)

func guest(t testing.TB, name string) []byte {
	t.Helper()
	wasm, err := os.ReadFile(filepath.Join(*guests, name+".wasm"))
	if err != nil {
		t.Fatalf("%v; run make bench-extism", err)
	}
	return wasm
}

func hermes(t testing.TB) caller {
	t.Helper()
	m, err := module.Open(t.Context(), guest(t, "hermes"), module.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = m.Close() })
	return func(event []byte) ([]byte, error) {
		res, err := m.Call(context.Background(), abi.HookDialog, event)
		return res.Verdict, err
	}
}

// rival is Extism's plugin. With a timeout it is bounded, as the host's own modules always are.
func rival(t testing.TB, timeout time.Duration) caller {
	t.Helper()
	ctx := t.Context()
	plugin, err := extism.NewPlugin(ctx, extism.Manifest{
		Wasm: []extism.Wasm{extism.WasmData{Data: guest(t, "extism")}}, Timeout: uint64(timeout.Milliseconds()),
	}, extism.PluginConfig{EnableWasi: true}, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = plugin.Close(context.Background()) })
	return func(event []byte) ([]byte, error) {
		code, verdict, err := plugin.Call("on_dialog", event)
		if err == nil && code != 0 {
			err = fmt.Errorf("exit code %d", code)
		}
		return verdict, err
	}
}

func events() map[string][]byte {
	event := func(origin, message string, kind abi.DialogType) []byte {
		return (&abi.DialogEvent{
			Header:   abi.Header{Sequence: 1, TimeUnixNano: 1, TaskID: "task-1", RandomSeed: make([]byte, 16)},
			DialogID: "d-1", Type: kind, Message: message, URL: origin + "/", Origin: origin, FrameID: strings.Repeat("F", 32),
			FrameKind: abi.FrameKindTop, TargetID: strings.Repeat("T", 32),
		}).Append(nil)
	}
	return map[string][]byte{
		"200B": event("https://trusted.example", "Leave this page?", abi.DialogTypeConfirm),
		"4KB":  event("https://example.com", strings.Repeat("long text ", 400), abi.DialogTypeAlert),
	}
}

func TestBothGiveTheSameVerdict(t *testing.T) {
	ours, bounded, unbounded := hermes(t), rival(t, time.Second), rival(t, 0)
	for name, event := range events() {
		want, err := ours(event)
		if err != nil || len(want) == 0 {
			t.Fatalf("%s: %x, %v", name, want, err)
		}
		for kind, call := range map[string]caller{"bounded": bounded, "unbounded": unbounded} {
			got, err := call(event)
			if err != nil || !bytes.Equal(got, want) {
				t.Errorf("%s, %s: %x (%v), want %x", name, kind, got, err, want)
			}
		}
	}
}

func BenchmarkDialogPolicy(b *testing.B) {
	all := events()
	callers := map[string]caller{"hermes": hermes(b), "extism": rival(b, time.Second), "extism-unbounded": rival(b, 0)}
	for _, size := range slices.Sorted(maps.Keys(all)) {
		for _, name := range slices.Sorted(maps.Keys(callers)) {
			b.Run(size+"/"+name, func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					if _, err := callers[name](all[size]); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}
