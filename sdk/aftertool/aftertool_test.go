//go:build !(tinygo.wasm || wasip1)

package aftertool_test

import (
	"reflect"
	"strings"
	"testing"

	"github.com/hermes-cdp/hermes-cdp/abi"
	"github.com/hermes-cdp/hermes-cdp/sdk/aftertool"
	"github.com/hermes-cdp/hermes-cdp/sdk/sdktest"
)

func call(t *testing.T, handler func(aftertool.Event) aftertool.Verdict, event abi.ToolUseEvent) (abi.Status, abi.ToolVerdict) {
	t.Helper()
	aftertool.Handle(nil)
	aftertool.Handle(handler)
	runner, err := sdktest.Native(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	got, err := runner.Call(t.Context(), abi.HookAfterTool, event.Append(nil))
	if err != nil {
		t.Fatal(err)
	}
	var verdict abi.ToolVerdict
	if err := verdict.Unmarshal(got.Verdict); err != nil {
		t.Fatal(err)
	}
	return got.Status, verdict
}

func TestEachVerdictReachesTheHost(t *testing.T) {
	object := abi.Struct{{Key: "a", Value: abi.StringValue("b")}}
	for name, c := range map[string]struct {
		verdict aftertool.Verdict
		want    abi.ToolVerdict
		status  abi.Status
	}{
		"allow": {aftertool.Allow(), abi.ToolVerdict{Action: abi.ToolActionAllow}, abi.StatusDecided},
		"deny":  {aftertool.Deny("no").Because("r"), abi.ToolVerdict{Action: abi.ToolActionDeny, Reason: "no", Rule: "r"}, abi.StatusDecided},
		"change": {aftertool.Change("t", object).WithoutPictures(),
			abi.ToolVerdict{Action: abi.ToolActionChange, Text: "t", Structured: object, DropPictures: true}, abi.StatusDecided},
		"abstain": {aftertool.Abstain(), abi.ToolVerdict{}, abi.StatusAbstain},
		"fail":    {aftertool.Fail("cannot"), abi.ToolVerdict{}, abi.StatusError},
	} {
		status, got := call(t, func(aftertool.Event) aftertool.Verdict { return c.verdict }, abi.ToolUseEvent{})
		if status != c.status || !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s: got %s %+v", name, status, got)
		}
	}
}

func TestRewriteReachesEveryText(t *testing.T) {
	mask := func(e aftertool.Event) aftertool.Verdict {
		return aftertool.Rewrite(e, func(text string) string { return strings.ReplaceAll(text, "SECRET", "***") })
	}
	object := func(word string) abi.Struct {
		list := abi.Value{Kind: abi.KindList, List: []abi.Value{abi.StringValue(word), abi.StructValue(abi.Struct{{Key: word, Value: abi.BoolValue(true)}})}}
		return abi.Struct{{Key: "a", Value: list}}
	}
	status, got := call(t, mask, abi.ToolUseEvent{Text: "x SECRET", Structured: object("SECRET")})
	want := abi.ToolVerdict{Action: abi.ToolActionChange, Text: "x ***", Structured: object("***")}
	if status != abi.StatusDecided || !reflect.DeepEqual(got, want) {
		t.Errorf("got %s %+v", status, got)
	}
	if status, _ := call(t, mask, abi.ToolUseEvent{Text: "x", Structured: object("y")}); status != abi.StatusAbstain {
		t.Errorf("without a secret: %s", status)
	}
}
