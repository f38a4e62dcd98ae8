//go:build !(tinygo.wasm || wasip1)

package bridge_test

import (
	"strings"
	"testing"

	"github.com/hermes-cdp/hermes-cdp/abi"
	"github.com/hermes-cdp/hermes-cdp/sdk"
	"github.com/hermes-cdp/hermes-cdp/sdk/bridge"
	"github.com/hermes-cdp/hermes-cdp/sdk/sdktest"
)

// echo returns its input.
type echo struct{}

func (echo) Script(e bridge.ScriptEvent) (bridge.Script, error) {
	return bridge.Script{Source: e.PauseToken + e.RequestToken}, nil
}

func (echo) Request(e bridge.RequestEvent) (bridge.Request, error) {
	switch e.Payload {
	case "page":
		return bridge.Request{}, bridge.Abstain
	case "bad":
		return bridge.Request{}, sdk.Error("cannot read " + e.Payload)
	}
	return bridge.Request{Message: e.Payload, DefaultPrompt: e.Body}, nil
}

func (echo) Reply(e bridge.ReplyEvent) (bridge.Reply, error) {
	return bridge.Reply{Expression: e.Text}, nil
}

func call(t *testing.T, b bridge.Bridge, hook abi.Hook, event []byte) sdktest.Result {
	t.Helper()
	bridge.Handle(nil)
	bridge.Handle(b)
	runner, err := sdktest.Native(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	got, err := runner.Call(t.Context(), hook, event)
	if err != nil {
		t.Fatal(err)
	}
	return got
}

func TestEachHookReachesItsMethod(t *testing.T) {
	script := abi.BridgeScriptEvent{PauseToken: "p", RequestToken: "r"}
	var gotScript abi.BridgeScript
	if err := gotScript.Unmarshal(call(t, echo{}, abi.HookBridgeScript, script.Append(nil)).Verdict); err != nil || gotScript.Source != "pr" {
		t.Errorf("got %+v (%v)", gotScript, err)
	}
	request := abi.BridgeRequestEvent{Payload: "p", Body: "b"}
	var gotRequest abi.BridgeRequest
	err := gotRequest.Unmarshal(call(t, echo{}, abi.HookBridgeRequest, request.Append(nil)).Verdict)
	if want := (abi.BridgeRequest{Message: "p", DefaultPrompt: "b"}); err != nil || gotRequest != want {
		t.Errorf("got %+v (%v)", gotRequest, err)
	}
	reply := abi.BridgeReplyEvent{Text: "t", HasText: true}
	var gotReply abi.BridgeReply
	if err := gotReply.Unmarshal(call(t, echo{}, abi.HookBridgeReply, reply.Append(nil)).Verdict); err != nil || gotReply.Expression != "t" {
		t.Errorf("got %+v (%v)", gotReply, err)
	}
}

func TestAMethodMayAbstainOrFail(t *testing.T) {
	if got := call(t, echo{}, abi.HookBridgeRequest, (&abi.BridgeRequestEvent{Payload: "page"}).Append(nil)); got.Status != abi.StatusAbstain {
		t.Errorf("got %+v", got)
	}
	got := call(t, echo{}, abi.HookBridgeRequest, (&abi.BridgeRequestEvent{Payload: "bad"}).Append(nil))
	if got.Status != abi.StatusError || got.Reason != "cannot read bad" {
		t.Errorf("got %+v", got)
	}
}

func TestWithoutABridgeTheModuleAbstains(t *testing.T) {
	for _, hook := range []abi.Hook{abi.HookBridgeScript, abi.HookBridgeRequest, abi.HookBridgeReply} {
		if got := call(t, nil, hook, nil); got.Status != abi.StatusAbstain {
			t.Errorf("%s: got %+v", hook, got)
		}
	}
}

func TestAnInvalidEventIsAnError(t *testing.T) {
	for _, hook := range []abi.Hook{abi.HookBridgeScript, abi.HookBridgeRequest, abi.HookBridgeReply} {
		got := call(t, echo{}, hook, []byte{0x08})
		if got.Status != abi.StatusError || !strings.HasPrefix(got.Reason, "abi: cannot decode field 1") {
			t.Errorf("%s: got %+v", hook, got)
		}
	}
}

func TestAnEventDoesNotSeeThePreviousOne(t *testing.T) {
	call(t, echo{}, abi.HookBridgeRequest, (&abi.BridgeRequestEvent{Payload: "a long first one", Body: "left"}).Append(nil))
	got := call(t, echo{}, abi.HookBridgeRequest, (&abi.BridgeRequestEvent{Payload: "short"}).Append(nil))
	var request abi.BridgeRequest
	if err := request.Unmarshal(got.Verdict); err != nil || request.Message != "short" || request.DefaultPrompt != "" {
		t.Errorf("got %+v (%v)", request, err)
	}
}
