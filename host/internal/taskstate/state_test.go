package taskstate

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/hermes-cdp/hermes-cdp/abi"
	"github.com/hermes-cdp/hermes-cdp/host/view"
)

// stateSnapshot is a task with a tab, a worker, dialogs and messages.
func stateSnapshot() *view.Snapshot {
	at := view.UnixTime{Time: time.UnixMicro(1_700_000_000_123_456)}
	frames := &view.FrameTree{Top: view.Frame{FrameID: "a", URL: "https://example.com/", Origin: "https://example.com"}, Children: []view.Frame{}}
	return &view.Snapshot{
		TaskID: "t", Revision: 7, ConsoleTotal: 9, TabInUse: "a",
		Targets: []view.Target{
			{ID: "w", Type: "worker", URL: "https://example.com/w.js"},
			{ID: "a", Type: "page", URL: "https://example.com/", Title: "Example", SessionID: "s", Ready: true, FrameTree: frames, RawFrameTree: frames},
		},
		PendingDialogs: []view.Dialog{{ID: "d-2", Type: "confirm", OpenedAt: at}}, RecentDialogs: []view.Dialog{{ID: "d-1", Type: "alert", OpenedAt: at}},
		Console:           []view.ConsoleMessage{{Type: "log", Text: "hello", At: at, TargetID: "a"}},
		RecentNavigations: []view.DeniedNavigation{{URL: "https://example.org/", Reason: "no"}}, NavigationsUnseen: 2,
	}
}

// of reads from one snapshot.
func of(s *view.Snapshot) func(key string) ([]byte, abi.Code) {
	return Of(func() *view.Snapshot { return s })
}

func TestEveryKeyOfTheState(t *testing.T) {
	get := of(stateSnapshot())
	const tab = `{"target_id":"a","type":"page","url":"https://example.com/","title":"Example","ready":true}`
	for key, want := range map[string]string{
		"task":    `{"task_id":"t","revision":7,"targets":2,"pending_dialogs":1,"console_total":9}`,
		"url":     `"https://example.com/"`,
		"tab":     tab,
		"targets": `[{"target_id":"w","type":"worker","url":"https://example.com/w.js","title":"","ready":false},` + tab + `]`,
		"frames": `[{"target_id":"a","url":"https://example.com/","frame_tree":{"top":{"frame_id":"a","url":"https://example.com/",` +
			`"origin":"https://example.com","is_oopif":false},"children":[],"truncated":false,"revision":0}}]`,
		"console": `{"console_messages":[{"type":"log","text":"hello","at":1700000000.123456,"target_id":"a"}],"console_total":9}`,
	} {
		if value, code := get(key); code != 0 || string(value) != want {
			t.Errorf("%s is %s (%s)\nwant %s", key, value, code, want)
		}
	}
	for key, parts := range map[string][]string{
		"dialogs":     {`{"pending_dialogs":[{"id":"d-2",`, `],"recent_dialogs":[{"id":"d-1",`},
		"navigations": {`{"recent_navigations":[{"url":"https://example.org/",`, `],"navigations_unseen":2}`},
	} {
		value, code := get(key)
		for _, part := range parts {
			if code != 0 || !strings.Contains(string(value), part) {
				t.Errorf("%s is %s (%s), without %s", key, value, code, part)
			}
		}
	}
	for _, key := range []string{"", "Task", "task_config", "cookies"} {
		if value, code := get(key); code != abi.CodeNotFound || value != nil {
			t.Errorf("%q is %s (%s)", key, value, code)
		}
	}
}

func TestAStateThatIsNotThereIsNotFound(t *testing.T) {
	for _, key := range []string{"url", "tab"} {
		if _, code := of(&view.Snapshot{TaskID: "t"})(key); code != abi.CodeNotFound {
			t.Errorf("%s of a task without tabs: %s", key, code)
		}
	}
	if _, code := of(nil)("task"); code != abi.CodeNotFound {
		t.Errorf("a task that has ended: %s", code)
	}
}

// A module that looks twice in one call sees the same state twice.
func TestOneCallSeesOneSnapshot(t *testing.T) {
	latest := stateSnapshot()
	snapshot := func() *view.Snapshot { return latest }
	get := Of(snapshot)
	before, _ := get("task")
	latest = stateSnapshot()
	latest.Revision++
	if after, _ := get("task"); string(after) != string(before) {
		t.Errorf("it was %s and is %s", before, after)
	}
	if other, _ := Of(snapshot)("task"); string(other) == string(before) {
		t.Error("the next call sees the old snapshot")
	}
}

func TestWhatIsPastIsCutAndWhatIsNowIsNot(t *testing.T) {
	s := stateSnapshot()
	long := strings.Repeat("x", 10_000)
	for range 50 {
		s.Console = append(s.Console, view.ConsoleMessage{Type: "log", Text: long})
		s.RecentDialogs = append(s.RecentDialogs, view.Dialog{ID: "d", Message: long})
	}
	s.Console = append(s.Console, view.ConsoleMessage{Type: "log", Text: "newest"})
	for _, key := range []string{"console", "dialogs"} {
		value, code := of(s)(key)
		if code != 0 || len(value) > maxStateBytes || len(value) < maxStateBytes-20_000 || !json.Valid(value) {
			t.Errorf("%s has %d bytes (%s)", key, len(value), code)
		}
		if key == "console" && !strings.Contains(string(value), `"newest"`) {
			t.Error("the newest message is missing")
		}
	}
	s.PendingDialogs = slices.Repeat(s.RecentDialogs[1:], 1)
	s.Targets[1].RawFrameTree.Children = slices.Repeat([]view.Frame{{URL: long}}, 50)
	for _, key := range []string{"dialogs", "frames"} {
		if _, code := of(s)(key); code != abi.CodeTooLarge {
			t.Errorf("%s: %s", key, code)
		}
	}
}
