package host

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/hermes-cdp/hermes-cdp/abi"
	"github.com/hermes-cdp/hermes-cdp/host/internal/engine"
)

// stateSnapshot is a task with a tab, a worker, dialogs and messages.
func stateSnapshot() *Snapshot {
	at := UnixTime{Time: time.UnixMicro(1_700_000_000_123_456)}
	frames := &FrameTree{Top: Frame{FrameID: "a", URL: "https://example.com/", Origin: "https://example.com"}, Children: []Frame{}}
	return &Snapshot{
		TaskID: "t", Revision: 7, ConsoleTotal: 9, TabInUse: "a",
		Targets: []Target{
			{ID: "w", Type: "worker", URL: "https://example.com/w.js"},
			{ID: "a", Type: "page", URL: "https://example.com/", Title: "Example", SessionID: "s", Ready: true, FrameTree: frames, RawFrameTree: frames},
		},
		PendingDialogs: []Dialog{{ID: "d-2", Type: "confirm", OpenedAt: at}}, RecentDialogs: []Dialog{{ID: "d-1", Type: "alert", OpenedAt: at}},
		Console:           []ConsoleMessage{{Type: "log", Text: "hello", At: at, TargetID: "a"}},
		RecentNavigations: []DeniedNavigation{{URL: "https://example.org/", Reason: "no"}}, NavigationsUnseen: 2,
	}
}

// hostWith returns a host that has only the snapshot.
func hostWith(s *Snapshot) *Host {
	t := &Task{engine: engine.NewTask(s.TaskID, nil, &hub{})}
	t.engine.Publish(s)
	return &Host{tasks: map[string]*Task{s.TaskID: t}}
}

func TestEveryKeyOfTheState(t *testing.T) {
	get := hostWith(stateSnapshot()).pluginState("t")
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
	h := hostWith(&Snapshot{TaskID: "t"})
	for _, key := range []string{"url", "tab"} {
		if _, code := h.pluginState("t")(key); code != abi.CodeNotFound {
			t.Errorf("%s of a task without tabs: %s", key, code)
		}
	}
	if _, code := h.pluginState("gone")("task"); code != abi.CodeNotFound {
		t.Errorf("a task that has ended: %s", code)
	}
}

// A module that looks twice in one call sees the same state twice.
func TestOneCallSeesOneSnapshot(t *testing.T) {
	h := hostWith(stateSnapshot())
	get := h.pluginState("t")
	before, _ := get("task")
	changed := stateSnapshot()
	changed.Revision++
	h.Task("t").engine.Publish(changed)
	if after, _ := get("task"); string(after) != string(before) {
		t.Errorf("it was %s and is %s", before, after)
	}
	if other, _ := h.pluginState("t")("task"); string(other) == string(before) {
		t.Error("the next call sees the old snapshot")
	}
}

func TestWhatIsPastIsCutAndWhatIsNowIsNot(t *testing.T) {
	s := stateSnapshot()
	long := strings.Repeat("x", 10_000)
	for range 50 {
		s.Console = append(s.Console, ConsoleMessage{Type: "log", Text: long})
		s.RecentDialogs = append(s.RecentDialogs, Dialog{ID: "d", Message: long})
	}
	s.Console = append(s.Console, ConsoleMessage{Type: "log", Text: "newest"})
	h := hostWith(s)
	for _, key := range []string{"console", "dialogs"} {
		value, code := h.pluginState("t")(key)
		if code != 0 || len(value) > maxStateBytes || len(value) < maxStateBytes-20_000 || !json.Valid(value) {
			t.Errorf("%s has %d bytes (%s)", key, len(value), code)
		}
		if key == "console" && !strings.Contains(string(value), `"newest"`) {
			t.Error("the newest message is missing")
		}
	}
	s.PendingDialogs = slices.Repeat(s.RecentDialogs[1:], 1)
	s.Targets[1].RawFrameTree.Children = slices.Repeat([]Frame{{URL: long}}, 50)
	for _, key := range []string{"dialogs", "frames"} {
		if _, code := hostWith(s).pluginState("t")(key); code != abi.CodeTooLarge {
			t.Errorf("%s: %s", key, code)
		}
	}
}
