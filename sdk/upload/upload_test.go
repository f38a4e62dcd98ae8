//go:build !(tinygo.wasm || wasip1)

package upload_test

import (
	"testing"

	"github.com/hermes-cdp/hermes-cdp/abi"
	"github.com/hermes-cdp/hermes-cdp/sdk/sdktest"
	"github.com/hermes-cdp/hermes-cdp/sdk/upload"
)

func TestEachVerdictReachesTheHost(t *testing.T) {
	for name, c := range map[string]struct {
		verdict upload.Verdict
		want    abi.FileVerdict
		status  abi.Status
	}{
		"allow":   {upload.Allow(), abi.FileVerdict{Action: abi.FileActionAllow}, abi.StatusDecided},
		"deny":    {upload.Deny("no").Because("r"), abi.FileVerdict{Action: abi.FileActionDeny, Reason: "no", Rule: "r"}, abi.StatusDecided},
		"abstain": {upload.Abstain(), abi.FileVerdict{}, abi.StatusAbstain},
		"fail":    {upload.Fail("cannot"), abi.FileVerdict{}, abi.StatusError},
	} {
		upload.Handle(nil)
		upload.Handle(func(upload.Event) upload.Verdict { return c.verdict })
		runner, err := sdktest.Native(t.Context(), nil)
		if err != nil {
			t.Fatal(err)
		}
		got, err := runner.Call(t.Context(), abi.HookUpload, nil)
		var verdict abi.FileVerdict
		if err != nil || verdict.Unmarshal(got.Verdict) != nil || got.Status != c.status || verdict != c.want {
			t.Errorf("%s: got %s %+v (%v)", name, got.Status, verdict, err)
		}
	}
}
