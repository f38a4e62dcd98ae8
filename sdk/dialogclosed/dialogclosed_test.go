//go:build !(tinygo.wasm || wasip1)

package dialogclosed_test

import (
	"testing"

	"github.com/hermes-cdp/hermes-cdp/abi"
	"github.com/hermes-cdp/hermes-cdp/sdk"
	"github.com/hermes-cdp/hermes-cdp/sdk/dialogclosed"
	"github.com/hermes-cdp/hermes-cdp/sdk/sdktest"
)

func TestTheHandlerIsToldAndItsErrorIsReported(t *testing.T) {
	runner, err := sdktest.Native(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	event := abi.DialogClosedEvent{DialogID: "d-1", ClosedBy: abi.ClosedByWatchdog, Accepted: true, OpenNanos: 7}
	check := func(name string, src []byte, want sdktest.Result) {
		t.Helper()
		got, err := runner.Call(t.Context(), abi.HookDialogClosed, src)
		if err != nil || got.Status != want.Status || got.Reason != want.Reason || got.Verdict != nil {
			t.Errorf("%s: got %+v (%v), want %+v", name, got, err, want)
		}
	}
	check("no handler", event.Append(nil), sdktest.Result{Status: abi.StatusAbstain})

	var seen dialogclosed.Event
	dialogclosed.Handle(nil)
	dialogclosed.Handle(func(e dialogclosed.Event) error { seen = e; return nil })
	check("told", event.Append(nil), sdktest.Result{Status: abi.StatusDecided})
	if seen.ClosedBy != abi.ClosedByWatchdog || !seen.Accepted || seen.OpenNanos != 7 {
		t.Errorf("the handler saw %+v", seen)
	}
	dialogclosed.Handle(nil)
	dialogclosed.Handle(func(e dialogclosed.Event) error { return sdk.Error("no place for ", e.DialogID) })
	check("error", event.Append(nil), sdktest.Result{Status: abi.StatusError, Reason: "no place for d-1"})
	check("garbage", []byte{0x0b}, sdktest.Result{
		Status: abi.StatusError, Reason: "abi: cannot decode field 1 at byte 1: groups are not supported",
	})
}
