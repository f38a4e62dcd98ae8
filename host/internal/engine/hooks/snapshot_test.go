package hooks

import (
	"reflect"
	"testing"

	"github.com/hermes-cdp/hermes-cdp/abi"
	"github.com/hermes-cdp/hermes-cdp/host/internal/plugin/journal"
	"github.com/hermes-cdp/hermes-cdp/host/internal/plugin/lifecycle"
)

// Each module is asked about what the one before has left, by places that count only that.
func TestEachModuleEditsWhatTheOneBeforeHasLeft(t *testing.T) {
	event := abi.SnapshotEvent{Nodes: []abi.SnapshotNode{
		{Role: "list"}, {Depth: 1, Role: "listitem"}, {Depth: 2, Role: "link", Name: "in it"}, {Depth: 1, Role: "link", Name: "secret", URL: "https://a/", Hint: "h"},
		{Role: "heading", Name: "last"},
	}}
	q, left := Snapshot(&event, false)
	decide := func(edits ...abi.SnapshotEdit) {
		t.Helper()
		verdict := abi.SnapshotVerdict{Edits: edits}
		if err := q.Decode(verdict.Append(nil)); err != nil {
			t.Fatal(err)
		}
		if !q.Next() {
			t.Error("the next module is not asked")
		}
	}
	decide(abi.SnapshotEdit{Node: 1, Action: abi.SnapshotActionDrop}, abi.SnapshotEdit{Node: 2, Action: abi.SnapshotActionDrop}, abi.SnapshotEdit{Node: 3, Action: abi.SnapshotActionMask, Name: "***"})
	if want := []abi.SnapshotNode{{Role: "list"}, {Depth: 1, Role: "link", Name: "***"}, {Role: "heading", Name: "last"}}; !reflect.DeepEqual(event.Nodes, want) {
		t.Errorf("the second module is asked about %+v", event.Nodes)
	}
	decide(abi.SnapshotEdit{Node: 0, Action: abi.SnapshotActionAnnotate, Note: "n"}, abi.SnapshotEdit{Node: 2, Action: abi.SnapshotActionDrop})
	got := left(lifecycle.Outcome{Decided: true, Calls: []lifecycle.Call{
		{Module: "a", Outcome: journal.OutcomeDecided}, {Module: "b", Outcome: journal.OutcomeAbstained}, {Module: "c", Outcome: journal.OutcomeDecided},
	}})
	want := Left{At: []int{0, 3}, Notes: map[int][]string{0: {"n"}}, Masked: map[int]bool{3: true}, Dropped: map[string]int{"a": 2, "c": 1}}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v, want %+v", got, want)
	}
}

func TestAVerdictThatNoReadingCanFollowIsRefused(t *testing.T) {
	for name, edit := range map[string]abi.SnapshotEdit{
		"a node that is not there": {Node: 1, Action: abi.SnapshotActionDrop},
		"an empty note":            {Action: abi.SnapshotActionAnnotate},
		"no action":                {},
	} {
		q, _ := Snapshot(&abi.SnapshotEvent{Nodes: []abi.SnapshotNode{{Role: "text"}}}, false)
		verdict := abi.SnapshotVerdict{Edits: []abi.SnapshotEdit{edit}}
		if err := q.Decode(verdict.Append(nil)); err == nil {
			t.Errorf("%s is accepted", name)
		}
	}
}

func TestWhatAModuleFailedToEditIsLeftOnlyIfTheOperatorSaysSo(t *testing.T) {
	for _, open := range []bool{false, true} {
		_, left := Snapshot(&abi.SnapshotEvent{Nodes: []abi.SnapshotNode{{Role: "text"}}}, open)
		got := left(lifecycle.Outcome{Fault: "a trap\nin it"})
		if kept := len(got.At) == 1; kept != open || got.Withheld == open || got.Fault == "" {
			t.Errorf("open %t: %+v", open, got)
		}
	}
}
