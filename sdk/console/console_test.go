//go:build !(tinygo.wasm || wasip1)

package console_test

import (
	"testing"

	"github.com/hermes-cdp/hermes-cdp/abi"
	"github.com/hermes-cdp/hermes-cdp/sdk/console"
	"github.com/hermes-cdp/hermes-cdp/sdk/sdktest"
)

func TestEachVerdictReachesTheHost(t *testing.T) {
	for name, c := range map[string]struct {
		verdict console.Verdict
		want    abi.ConsoleVerdict
		status  abi.Status
	}{
		"keep":    {console.Keep(), abi.ConsoleVerdict{Action: abi.ConsoleActionKeep}, abi.StatusDecided},
		"drop":    {console.Drop().Because("r"), abi.ConsoleVerdict{Action: abi.ConsoleActionDrop, Rule: "r"}, abi.StatusDecided},
		"mask":    {console.Mask("***"), abi.ConsoleVerdict{Action: abi.ConsoleActionMask, Text: "***"}, abi.StatusDecided},
		"abstain": {console.Abstain(), abi.ConsoleVerdict{}, abi.StatusAbstain},
		"fail":    {console.Fail("cannot"), abi.ConsoleVerdict{}, abi.StatusError},
	} {
		console.Handle(nil)
		console.Handle(func(console.Event) console.Verdict { return c.verdict })
		runner, err := sdktest.Native(t.Context(), nil)
		if err != nil {
			t.Fatal(err)
		}
		got, err := runner.Call(t.Context(), abi.HookConsole, nil)
		var verdict abi.ConsoleVerdict
		if err != nil || verdict.Unmarshal(got.Verdict) != nil || got.Status != c.status || verdict != c.want {
			t.Errorf("%s: got %s %+v (%v)", name, got.Status, verdict, err)
		}
	}
}
