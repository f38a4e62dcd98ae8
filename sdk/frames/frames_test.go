//go:build !(tinygo.wasm || wasip1)

package frames_test

import (
	"slices"
	"testing"

	"github.com/hermes-cdp/hermes-cdp/abi"
	"github.com/hermes-cdp/hermes-cdp/sdk/frames"
	"github.com/hermes-cdp/hermes-cdp/sdk/sdktest"
)

func call(t *testing.T, handler func(frames.Event) frames.Verdict, event []byte) sdktest.Result {
	t.Helper()
	frames.Handle(nil)
	frames.Handle(handler)
	runner, err := sdktest.Native(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	got, err := runner.Call(t.Context(), abi.HookFrames, event)
	if err != nil {
		t.Fatal(err)
	}
	return got
}

func TestAVerdictReachesTheHost(t *testing.T) {
	event := abi.FramesEvent{Frames: []abi.Frame{{FrameID: "0"}, {FrameID: "1", ParentFrameID: "0"}}}
	got := call(t, func(e frames.Event) frames.Verdict {
		return frames.Keep([]uint32{uint32(len(e.Frames) - 1)}, true).Capped([]uint32{0}).Masked([]uint32{1}).Because("last")
	}, event.Append(nil))
	var verdict abi.FramesVerdict
	if err := verdict.Unmarshal(got.Verdict); err != nil {
		t.Fatal(err)
	}
	if got.Status != abi.StatusDecided || !slices.Equal(verdict.Kept, []uint32{1}) || !verdict.Truncated || verdict.Rule != "last" ||
		!slices.Equal(verdict.Capped, []uint32{0}) || !slices.Equal(verdict.Masked, []uint32{1}) {
		t.Errorf("got %s %+v", got.Status, verdict)
	}
}

func TestKeepingNothingIsAVerdictToo(t *testing.T) {
	got := call(t, func(frames.Event) frames.Verdict { return frames.Keep(nil, false) }, nil)
	if got.Status != abi.StatusDecided || len(got.Verdict) != 0 {
		t.Errorf("got %+v", got)
	}
}

func TestAHandlerMayAbstainOrFailOrBeMissing(t *testing.T) {
	if got := call(t, func(frames.Event) frames.Verdict { return frames.Abstain() }, nil); got.Status != abi.StatusAbstain {
		t.Errorf("abstain: got %+v", got)
	}
	if got := call(t, func(frames.Event) frames.Verdict { return frames.Fail("why") }, nil); got.Reason != "why" {
		t.Errorf("fail: got %+v", got)
	}
	if got := call(t, nil, nil); got.Status != abi.StatusAbstain {
		t.Errorf("no handler: got %+v", got)
	}
	if got := call(t, func(frames.Event) frames.Verdict { return frames.Abstain() }, []byte{0x1a, 9}); got.Status != abi.StatusError {
		t.Errorf("garbage: got %+v", got)
	}
}
