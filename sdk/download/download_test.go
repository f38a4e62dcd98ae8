//go:build !(tinygo.wasm || wasip1)

package download_test

import (
	"testing"

	"github.com/hermes-cdp/hermes-cdp/abi"
	"github.com/hermes-cdp/hermes-cdp/sdk/download"
	"github.com/hermes-cdp/hermes-cdp/sdk/sdktest"
)

func TestEachVerdictReachesTheHost(t *testing.T) {
	for name, c := range map[string]struct {
		verdict download.Verdict
		want    abi.FileVerdict
		status  abi.Status
	}{
		"allow":   {download.Allow(), abi.FileVerdict{Action: abi.FileActionAllow}, abi.StatusDecided},
		"deny":    {download.Deny("no").Because("r"), abi.FileVerdict{Action: abi.FileActionDeny, Reason: "no", Rule: "r"}, abi.StatusDecided},
		"abstain": {download.Abstain(), abi.FileVerdict{}, abi.StatusAbstain},
		"fail":    {download.Fail("cannot"), abi.FileVerdict{}, abi.StatusError},
	} {
		download.Handle(nil)
		download.Handle(func(download.Event) download.Verdict { return c.verdict })
		runner, err := sdktest.Native(t.Context(), nil)
		if err != nil {
			t.Fatal(err)
		}
		got, err := runner.Call(t.Context(), abi.HookDownload, nil)
		var verdict abi.FileVerdict
		if err != nil || verdict.Unmarshal(got.Verdict) != nil || got.Status != c.status || verdict != c.want {
			t.Errorf("%s: got %s %+v (%v)", name, got.Status, verdict, err)
		}
	}
}
