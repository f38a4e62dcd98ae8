package contrary_test

import (
	"slices"
	"testing"

	"github.com/hermes-cdp/hermes-cdp/abi"
	"github.com/hermes-cdp/hermes-cdp/host/module"
	"github.com/hermes-cdp/hermes-cdp/host/module/plugintest"
	"github.com/hermes-cdp/hermes-cdp/plugins"
	"github.com/hermes-cdp/hermes-cdp/plugins/contrary"
)

func call(t *testing.T, wasm []byte, hook abi.Hook, event []byte) []byte {
	t.Helper()
	runner, err := plugintest.Wasm(wasm, module.Options{})(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := runner.Close(); err != nil {
			t.Error(err)
		}
	})
	got, err := runner.Call(t.Context(), hook, event)
	if err != nil || got.Status != abi.StatusDecided {
		t.Fatalf("result %+v (%v)", got, err)
	}
	return got.Verdict
}

func TestDialogAcceptsWhatTheShippedModuleHolds(t *testing.T) {
	event := abi.DialogEvent{Type: abi.DialogTypePrompt}
	shipped, ok := plugins.Module("dialog-policy")
	if !ok {
		t.Fatal("there is no shipped dialog-policy")
	}
	var held, got abi.DialogVerdict
	if err := held.Unmarshal(call(t, shipped, abi.HookDialog, event.Append(nil))); err != nil || held.Action != abi.DialogActionHold {
		t.Errorf("the shipped module decides %+v (%v)", held, err)
	}
	if err := got.Unmarshal(call(t, contrary.Dialog(), abi.HookDialog, event.Append(nil))); err != nil {
		t.Fatal(err)
	}
	want := abi.DialogVerdict{Action: abi.DialogActionAccept, HasText: true, Text: "contrary", Rule: "contrary"}
	if got != want {
		t.Errorf("verdict is %+v", got)
	}
}

func TestFramesKeepsTheLastFrameWithItsPath(t *testing.T) {
	event := abi.FramesEvent{Frames: []abi.Frame{
		{FrameID: "0"}, {FrameID: "1", ParentFrameID: "0"}, {FrameID: "2", ParentFrameID: "0"}, {FrameID: "3", ParentFrameID: "1"},
	}}
	var got abi.FramesVerdict
	if err := got.Unmarshal(call(t, contrary.Frames(), abi.HookFrames, event.Append(nil))); err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(got.Kept, []uint32{0, 1, 3}) || !got.Truncated || got.Rule != "contrary" {
		t.Errorf("verdict is %+v", got)
	}
}

func TestBridgeSpeaksAnotherProtocol(t *testing.T) {
	event := abi.BridgeRequestEvent{
		Via: abi.BridgeViaRequest, Method: "POST", Payload: "http://contrary-dialogs.invalid/prompt",
		Body: "token=t1&message=Who+are+%C3%BC%3F&preset=&number=3",
	}
	var got abi.BridgeRequest
	if err := got.Unmarshal(call(t, contrary.Bridge(), abi.HookBridgeRequest, event.Append(nil))); err != nil {
		t.Fatal(err)
	}
	want := abi.BridgeRequest{Token: "t1", Type: abi.DialogTypePrompt, Message: "Who are ü?", Key: "3"}
	if got != want {
		t.Errorf("the request is %+v", got)
	}
	answer := abi.BridgeReplyEvent{Via: abi.BridgeViaRequest, Type: abi.DialogTypePrompt, Accepted: true, HasText: true, Text: "é"}
	var reply abi.BridgeReply
	if err := reply.Unmarshal(call(t, contrary.Bridge(), abi.HookBridgeReply, answer.Append(nil))); err != nil {
		t.Fatal(err)
	}
	if reply.Status != 200 || string(reply.Body) != "yes\n%C3%A9" {
		t.Errorf("the reply is %+v", reply)
	}
}
