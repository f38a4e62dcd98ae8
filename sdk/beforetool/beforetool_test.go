//go:build !(tinygo.wasm || wasip1)

package beforetool_test

import (
	"reflect"
	"testing"

	"github.com/hermes-cdp/hermes-cdp/abi"
	"github.com/hermes-cdp/hermes-cdp/sdk/beforetool"
	"github.com/hermes-cdp/hermes-cdp/sdk/sdktest"
)

func TestEachVerdictReachesTheHost(t *testing.T) {
	object := abi.Struct{{Key: "a", Value: abi.StringValue("b")}}
	for name, c := range map[string]struct {
		verdict beforetool.Verdict
		want    abi.ToolVerdict
		status  abi.Status
	}{
		"allow":   {beforetool.Allow(), abi.ToolVerdict{Action: abi.ToolActionAllow}, abi.StatusDecided},
		"deny":    {beforetool.Deny("no").Because("r"), abi.ToolVerdict{Action: abi.ToolActionDeny, Reason: "no", Rule: "r"}, abi.StatusDecided},
		"ask":     {beforetool.Ask("really?"), abi.ToolVerdict{Action: abi.ToolActionAsk, Reason: "really?"}, abi.StatusDecided},
		"change":  {beforetool.Change(object), abi.ToolVerdict{Action: abi.ToolActionChange, Arguments: object}, abi.StatusDecided},
		"abstain": {beforetool.Abstain(), abi.ToolVerdict{}, abi.StatusAbstain},
		"fail":    {beforetool.Fail("cannot"), abi.ToolVerdict{}, abi.StatusError},
	} {
		beforetool.Handle(nil)
		beforetool.Handle(func(beforetool.Event) beforetool.Verdict { return c.verdict })
		runner, err := sdktest.Native(t.Context(), nil)
		if err != nil {
			t.Fatal(err)
		}
		got, err := runner.Call(t.Context(), abi.HookBeforeTool, nil)
		var verdict abi.ToolVerdict
		if err != nil || verdict.Unmarshal(got.Verdict) != nil || got.Status != c.status || !reflect.DeepEqual(verdict, c.want) {
			t.Errorf("%s: got %s %+v (%v)", name, got.Status, verdict, err)
		}
	}
}
