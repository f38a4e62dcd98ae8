package hooks

import (
	"context"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/hermes-cdp/hermes-cdp/abi"
	"github.com/hermes-cdp/hermes-cdp/host/internal/plugin"
	"github.com/hermes-cdp/hermes-cdp/host/internal/plugin/lifecycle"
	"github.com/hermes-cdp/hermes-cdp/host/internal/supervise"
	"github.com/hermes-cdp/hermes-cdp/plugins"
	"github.com/hermes-cdp/hermes-cdp/plugins/contrary"
)

type verdict = abi.FramesVerdict

// tree returns an event with a number of frames.
func tree(frames int) *abi.FramesEvent {
	e := &abi.FramesEvent{TargetID: "T1"}
	for i := range frames {
		e.Frames = append(e.Frames, abi.Frame{FrameID: fmt.Sprint("F", i), ParentFrameID: "F0", Kind: abi.FrameKindLocal, Depth: 1})
	}
	e.Frames[0] = abi.Frame{FrameID: "F0", Kind: abi.FrameKindTop}
	return e
}

func TestFrameFiltersCompose(t *testing.T) {
	for name, c := range map[string]struct {
		verdicts []verdict
		want     verdict
		sees     string // the last module
	}{
		"one": {[]verdict{{Kept: []uint32{0, 2, 4}, Rule: "even"}}, verdict{Kept: []uint32{0, 2, 4}, Rule: "even"}, "[F0 F1 F2 F3 F4]"},
		"two": {[]verdict{{Kept: []uint32{0, 2, 4}, Rule: "even", Truncated: true}, {Kept: []uint32{0, 2}, Rule: "ends"}},
			verdict{Kept: []uint32{0, 4}, Rule: "even; ends", Truncated: true}, "[F0 F2 F4]"},
		"the top frame stays": {[]verdict{{Kept: []uint32{3, 4}}, {Kept: []uint32{2}}}, verdict{Kept: []uint32{0, 4}}, "[F0 F3 F4]"},
		"capped frames are decided on, too": {[]verdict{{Kept: []uint32{0, 1}, Capped: []uint32{2, 3}}, {Kept: []uint32{0, 1, 2}}},
			verdict{Kept: []uint32{0, 1}, Capped: []uint32{2}}, "[F0 F1 F2 F3]"},
		"masked by one": {[]verdict{{Kept: []uint32{0, 1, 2}, Masked: []uint32{1}}, {Kept: []uint32{0, 1, 2}}},
			verdict{Kept: []uint32{0, 1, 2}, Masked: []uint32{1}}, "[F0 F1 F2]"},
		"masked by one and capped by another": {[]verdict{{Kept: []uint32{0, 1, 2}, Masked: []uint32{1}}, {Kept: []uint32{0}, Capped: []uint32{1, 2}}},
			verdict{Kept: []uint32{0}, Capped: []uint32{2}}, "[F0 F1 F2]"},
		"nothing is kept": {[]verdict{{}, {Kept: []uint32{0}, Rule: "r"}}, verdict{Kept: []uint32{0}, Rule: "r"}, "[F0]"},
	} {
		t.Run(name, func(t *testing.T) {
			event := tree(5)
			trim := newFramesTrim(event)
			var seen []string
			for _, v := range c.verdicts {
				seen = nil
				for _, f := range event.Frames {
					seen = append(seen, f.FrameID)
				}
				if err := trim.decode(v.Append(nil)); err != nil {
					t.Fatal(err)
				}
				trim.next()
			}
			got := trim.result()
			if fmt.Sprint(got) != fmt.Sprint(c.want) || fmt.Sprint(seen) != c.sees || len(event.Frames) != 5 {
				t.Errorf("got %+v, want %+v; the last one saw %v; the event has %d frames", got, c.want, seen, len(event.Frames))
			}
		})
	}
	trim := newFramesTrim(tree(5))
	if err := trim.decode((&verdict{Kept: []uint32{0, 1}}).Append(nil)); err != nil {
		t.Fatal(err)
	}
	trim.next()
	if err := trim.decode((&verdict{Kept: []uint32{2}}).Append(nil)); err == nil {
		t.Error("a module can keep a frame that it was not shown")
	}
}

// given returns the module that a source holds, or a shipped one.
func given(_ context.Context, name string, s lifecycle.Source, _ []string, _ int64) (lifecycle.Fetched, error) {
	switch {
	case s.Wasm != nil:
		return lifecycle.Fetched{Wasm: s.Wasm}, nil
	case s.Path != "":
		wasm, err := os.ReadFile(s.Path)
		return lifecycle.Fetched{Wasm: wasm}, err
	}
	wasm, _ := plugins.Module(name)
	return lifecycle.Fetched{Wasm: wasm}, nil
}

// One module keeps the first two frames that it sees, the other keeps the top one and the last.
func TestTheModulesOfFramesComposeInTheirOrder(t *testing.T) {
	firstTwo := lifecycle.Source{Path: filepath.Join("..", "..", "plugin", "lifecycle", "testdata", "frames.wasm")}
	last := lifecycle.Source{Wasm: contrary.Frames()}
	patient := plugin.Limits{HookTimeout: time.Minute}
	for name, c := range map[string]struct {
		priority int // of the one that keeps the first two
		want     string
		rule     string
		calls    string
	}{
		"the first two, then the last": {1, "[0 1]", "stamp000; contrary", "[first-two last frame-filter]"},
		"the last, then the first two": {-1, "[0 5]", "contrary; stamp000", "[last frame-filter first-two]"},
	} {
		t.Run(name, func(t *testing.T) {
			modules := lifecycle.New(lifecycle.Options{Logger: slog.New(slog.DiscardHandler), Fetch: given})
			defer modules.Close()
			for name, spec := range map[string]lifecycle.Spec{
				"first-two":    {Source: firstTwo, Hooks: []abi.Hook{abi.HookFrames, abi.HookDialogClosed}, Priority: c.priority, Limits: patient},
				"last":         {Source: last, Hooks: []abi.Hook{abi.HookFrames}, Limits: patient},
				"frame-filter": {Shipped: true, Hooks: plugins.Hooks("frame-filter"), Limits: patient},
			} {
				if _, err := modules.Add(t.Context(), name, spec, "start"); err != nil {
					t.Fatal(err)
				}
			}
			ask := Frames(supervise.AskFrames{Task: "task", Event: *tree(6)})
			got := ask.Verdict(modules.Ask(t.Context(), ask.Question)).(supervise.FramesVerdict)
			if got.Abstained || got.Fault != "" || fmt.Sprint(got.Verdict.Kept) != c.want || got.Verdict.Rule != c.rule {
				t.Errorf("got %+v", got)
			}
			var calls []string
			for _, call := range got.Calls {
				calls = append(calls, call.Module)
			}
			if fmt.Sprint(calls) != c.calls || got.Provenance.Module != calls[len(calls)-1] || got.Provenance.Generation != 1 {
				t.Errorf("the calls are %v, the provenance %+v", calls, got.Provenance)
			}
		})
	}
}
