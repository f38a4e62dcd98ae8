//go:build !(tinygo.wasm || wasip1)

package snapshot_test

import (
	"reflect"
	"testing"

	"github.com/hermes-cdp/hermes-cdp/abi"
	"github.com/hermes-cdp/hermes-cdp/sdk/sdktest"
	"github.com/hermes-cdp/hermes-cdp/sdk/snapshot"
)

func TestEachVerdictReachesTheHost(t *testing.T) {
	for name, c := range map[string]struct {
		verdict snapshot.Verdict
		want    abi.SnapshotVerdict
		status  abi.Status
	}{
		"keep":    {snapshot.Keep().Because("r"), abi.SnapshotVerdict{Rule: "r"}, abi.StatusDecided},
		"abstain": {snapshot.Abstain(), abi.SnapshotVerdict{}, abi.StatusAbstain},
		"fail":    {snapshot.Fail("cannot"), abi.SnapshotVerdict{}, abi.StatusError},
		"edits": {
			snapshot.Keep().Mask(0, snapshot.Node{Name: "n", Value: "v", Description: "d"}).Because("r").Drop(2).Annotate(5, "why"),
			abi.SnapshotVerdict{Rule: "r", Edits: []abi.SnapshotEdit{
				{Action: abi.SnapshotActionMask, Name: "n", Value: "v", Description: "d"},
				{Node: 2, Action: abi.SnapshotActionDrop},
				{Node: 5, Action: abi.SnapshotActionAnnotate, Note: "why"},
			}}, abi.StatusDecided,
		},
		"edits of what abstained": {snapshot.Abstain().Drop(1), abi.SnapshotVerdict{Edits: []abi.SnapshotEdit{{Node: 1, Action: abi.SnapshotActionDrop}}}, abi.StatusDecided},
	} {
		snapshot.Handle(nil)
		snapshot.Handle(func(snapshot.Event) snapshot.Verdict { return c.verdict })
		runner, err := sdktest.Native(t.Context(), nil)
		if err != nil {
			t.Fatal(err)
		}
		got, err := runner.Call(t.Context(), abi.HookSnapshot, nil)
		var verdict abi.SnapshotVerdict
		if err != nil || verdict.Unmarshal(got.Verdict) != nil || got.Status != c.status || !reflect.DeepEqual(verdict, c.want) {
			t.Errorf("%s: got %s %+v (%v)", name, got.Status, verdict, err)
		}
	}
}
