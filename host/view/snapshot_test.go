package view

import (
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"testing"
	"time"

	cdproto "github.com/chromedp/cdproto/cdp"

	"github.com/hermes-cdp/hermes-cdp/abi"
	"github.com/hermes-cdp/hermes-cdp/host/internal/supervise"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// The keys that agents read are part of the API.
func TestSnapshotJSONKeepsItsKeys(t *testing.T) {
	at := time.UnixMicro(1795258312739717)
	frames := []supervise.Frame{
		{ID: "top", URL: "https://a.test/", Origin: "https://a.test", Kind: abi.FrameKindTop, Session: "s1"},
		{ID: "child", Parent: "top", URL: "https://b.test/", Origin: "https://b.test", Name: "ad", Kind: abi.FrameKindOOPIF, Session: "s2", HasDialog: true},
	}
	open := supervise.Dialog{
		ID: "d-2", Type: abi.DialogTypePrompt, Message: "Name?", DefaultPrompt: "Ada", URL: "https://b.test/", Origin: "https://b.test",
		Frame: cdproto.FrameID("child"), FrameKind: abi.FrameKindOOPIF, Session: "s1", Target: "top", OpenedAt: at, Deadline: at.Add(300 * time.Second),
		Action:   abi.DialogActionHold,
		Decision: supervise.Provenance{Module: "dialog-policy", SHA256: "ab12", ConfigHash: "e3b0", Sequence: 7, Rule: "policy must_respond", Duration: 12 * time.Microsecond},
	}
	closed := open
	closed.ID, closed.Phase, closed.ClosedBy, closed.ClosedAt = "d-1", supervise.PhaseClosed, abi.ClosedByAgent, at.Add(time.Second)
	closed.Accepted, closed.Text = true, "Grace"
	got, err := json.MarshalIndent(NewSnapshot(supervise.View{
		Task: "t", Revision: 3, Pending: []supervise.Dialog{open}, Recent: []supervise.Dialog{closed}, ConsoleTotal: 60,
		Console: []supervise.ConsoleEntry{{Type: "error", Text: "no", Source: "https://a.test/x.js:1:2", At: at, Target: "top"}},
		Targets: []supervise.Target{{
			ID: "top", Type: "page", URL: "https://a.test/", Title: "A", Session: "s1", Ready: true, Revision: 9, Frames: frames,
			Filtered: frames, Truncated: true, FilteredRevision: 8, FilteredBy: supervise.Provenance{Module: "frame-filter", Sequence: 6},
		}, {ID: "w", Type: "worker", URL: "https://a.test/w.js", Session: "s3", Ready: true}},
	}, nil), "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	golden(t, "snapshot.json", append(got, '\n'))
}

func TestAnEmptySnapshotHasListsNotNull(t *testing.T) {
	got, err := json.Marshal(NewSnapshot(supervise.View{Task: "t"}, nil))
	if err != nil {
		t.Fatal(err)
	}
	want := `{"task_id":"t","revision":0,"targets":[],"pending_dialogs":[],"recent_dialogs":[],"console_messages":[],"console_total":0}`
	if string(got) != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

// A task publishes a snapshot with each console line; only what changed may be copied.
func TestSnapshotsShareUnchangedTrees(t *testing.T) {
	view := viewWithFrames(20)
	first := NewSnapshot(view, nil)
	view.Revision++
	view.Console = []supervise.ConsoleEntry{{Type: "log", Text: "a line"}}
	second := NewSnapshot(view, first)
	if first.Targets[0].RawFrameTree != second.Targets[0].RawFrameTree || first.Targets[0].FrameTree != second.Targets[0].FrameTree {
		t.Error("a console line copied the frames")
	}
	for name, change := range map[string]func(*supervise.Target){
		"another tree of the same length": func(to *supervise.Target) { to.Frames = slices.Clone(to.Frames) },
		"a later revision":                func(to *supervise.Target) { to.Revision++ },
		"another verdict":                 func(to *supervise.Target) { to.Filtered = to.Filtered[:3] },
		"another module's verdict":        func(to *supervise.Target) { to.FilteredBy.Sequence++ },
		"a tree that was cut":             func(to *supervise.Target) { to.Truncated = true },
		"another tab":                     func(to *supervise.Target) { to.ID = "other" },
	} {
		t.Run(name, func(t *testing.T) {
			changed := view
			changed.Targets = slices.Clone(view.Targets)
			change(&changed.Targets[0])
			got, want := NewSnapshot(changed, second), NewSnapshot(changed, nil)
			if !reflect.DeepEqual(got, want) {
				t.Errorf("got  %+v\nwant %+v", got.Targets, want.Targets)
			}
			if got.Targets[0].RawFrameTree == second.Targets[0].RawFrameTree && got.Targets[0].FrameTree == second.Targets[0].FrameTree {
				t.Error("both trees are shared")
			}
		})
	}
}

func golden(t *testing.T, name string, got []byte) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(path, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatalf("%v; write it with go test ./host/view -update", err)
	}
	if string(got) != string(want) {
		t.Errorf("%s differs; if that is intended, run go test ./host/view -update\ngot:\n%s", path, got)
	}
}

func TestUnixTimeIsReadAsItIsWritten(t *testing.T) {
	at := UnixTime{Time: time.Unix(1_700_000_000, 123_456_000)}
	text, err := json.Marshal(at)
	if err != nil {
		t.Fatal(err)
	}
	var back UnixTime
	if err := json.Unmarshal(text, &back); err != nil || !back.Equal(at.Time) {
		t.Errorf("%s is read as %v, %v", text, back, err)
	}
	if err := json.Unmarshal([]byte(`"soon"`), &back); err == nil {
		t.Error("a word was taken for a time")
	}
}
