// Package taskstate is what modules with the capability "state" can read about their task.
package taskstate

import (
	"encoding/json"

	"github.com/hermes-cdp/hermes-cdp/abi"
	"github.com/hermes-cdp/hermes-cdp/host/view"
)

// stateKeys are what modules with the capability "state" can read about their task, by key. Values are JSON with the
// names of `hermes-cdp snapshot --json`. Their texts come from pages; nothing of the operator's configuration is
// included.
//
//	task         task_id, revision, disconnected, reconnecting, and how many targets, pending_dialogs, console_total
//	url          the URL of the tab in use, a string
//	tab          the tab in use
//	targets      all tabs, popups and workers, without their frames
//	frames       the whole frame tree of every tab: target_id, url, frame_tree
//	dialogs      pending_dialogs, and as many of the newest recent_dialogs as fit
//	navigations  recent_navigations, those that were denied, as many of the newest as fit, and navigations_unseen
//	console      as many of the newest console_messages as fit, and console_total
//
// A value that exceeds [maxStateBytes] and is not a list of past events is TOO_LARGE: half a frame tree would look like
// a whole one. A task that has ended, "url" and "tab" of a task without tabs, and any other key are NOT_FOUND.
var stateKeys = map[string]func(*view.Snapshot) (any, bool){
	"task":        func(s *view.Snapshot) (any, bool) { return taskState(s), true },
	"url":         func(s *view.Snapshot) (any, bool) { return urlState(s) },
	"tab":         func(s *view.Snapshot) (any, bool) { return tabState(s) },
	"targets":     func(s *view.Snapshot) (any, bool) { return targetsState(s), true },
	"frames":      func(s *view.Snapshot) (any, bool) { return framesState(s), true },
	"dialogs":     func(s *view.Snapshot) (any, bool) { return dialogsState(s), true },
	"navigations": func(s *view.Snapshot) (any, bool) { return navigationsState(s), true },
	"console":     func(s *view.Snapshot) (any, bool) { return consoleState(s), true },
}

// maxStateBytes limits one answer. A module's memory has room for it beside the largest event.
const maxStateBytes = abi.DefaultEventBytes

// Of gives one call of a module access to the state of its task; latest returns nil for a task that has ended. All
// answers are from one snapshot, taken for the first question, and each is encoded once. It never waits.
func Of(latest func() *view.Snapshot) func(key string) ([]byte, abi.Code) {
	var snapshot *view.Snapshot
	made := map[string][]byte{}
	return func(key string) ([]byte, abi.Code) {
		find := stateKeys[key]
		if find == nil {
			return nil, abi.CodeNotFound
		}
		if snapshot == nil {
			if snapshot = latest(); snapshot == nil {
				return nil, abi.CodeNotFound
			}
		}
		value, ok := made[key]
		if !ok {
			state, found := find(snapshot)
			if !found {
				return nil, abi.CodeNotFound
			}
			value = encodeState(state)
			made[key] = value
		}
		if len(value) > maxStateBytes {
			return nil, abi.CodeTooLarge
		}
		return value, 0
	}
}

// encodeState returns JSON. The values are plain, so encoding cannot fail.
func encodeState(v any) []byte {
	text, err := json.Marshal(v)
	if err != nil {
		return []byte("null")
	}
	return text
}

// The values of [stateKeys]. Their names are those of the snapshot.

type taskStateJSON struct {
	TaskID         string `json:"task_id"`
	Revision       uint64 `json:"revision"`
	Disconnected   string `json:"disconnected,omitempty"`
	Reconnecting   bool   `json:"reconnecting,omitempty"`
	Targets        int    `json:"targets"`
	PendingDialogs int    `json:"pending_dialogs"`
	ConsoleTotal   int    `json:"console_total"`
}

func taskState(s *view.Snapshot) taskStateJSON {
	return taskStateJSON{
		TaskID: s.TaskID, Revision: s.Revision, Disconnected: s.Disconnected, Reconnecting: s.Reconnecting,
		Targets: len(s.Targets), PendingDialogs: len(s.PendingDialogs), ConsoleTotal: s.ConsoleTotal,
	}
}

func urlState(s *view.Snapshot) (string, bool) {
	if p := s.Page(); p != nil {
		return p.URL, true
	}
	return "", false
}

func tabState(s *view.Snapshot) (view.Target, bool) {
	if p := s.Page(); p != nil {
		return withoutFrames(*p), true
	}
	return view.Target{}, false
}

func targetsState(s *view.Snapshot) []view.Target {
	list := make([]view.Target, len(s.Targets))
	for i, t := range s.Targets {
		list[i] = withoutFrames(t)
	}
	return list
}

// withoutFrames removes the frames, which have a key of their own, and the session, which is of no use to a module.
func withoutFrames(t view.Target) view.Target {
	t.FrameTree, t.RawFrameTree, t.SessionID = nil, nil, ""
	return t
}

type framesStateJSON struct {
	TargetID  string          `json:"target_id"`
	URL       string          `json:"url"`
	FrameTree *view.FrameTree `json:"frame_tree"`
}

func framesState(s *view.Snapshot) []framesStateJSON {
	list := []framesStateJSON{}
	for _, t := range s.Targets {
		if t.RawFrameTree != nil {
			list = append(list, framesStateJSON{t.ID, t.URL, t.RawFrameTree})
		}
	}
	return list
}

type dialogsStateJSON struct {
	Pending json.RawMessage `json:"pending_dialogs"`
	Recent  json.RawMessage `json:"recent_dialogs"`
}

func dialogsState(s *view.Snapshot) dialogsStateJSON {
	pending := encodeState(s.PendingDialogs)
	return dialogsStateJSON{pending, newest(s.RecentDialogs, maxStateBytes-len(pending)-listSlack)}
}

type navigationsStateJSON struct {
	Recent json.RawMessage `json:"recent_navigations"`
	Unseen int             `json:"navigations_unseen"`
}

func navigationsState(s *view.Snapshot) navigationsStateJSON {
	return navigationsStateJSON{newest(s.RecentNavigations, maxStateBytes-listSlack), s.NavigationsUnseen}
}

type consoleStateJSON struct {
	Messages json.RawMessage `json:"console_messages"`
	Total    int             `json:"console_total"`
}

func consoleState(s *view.Snapshot) consoleStateJSON {
	return consoleStateJSON{newest(s.Console, maxStateBytes-listSlack), s.ConsoleTotal}
}

// listSlack is the size of an object without its lists.
const listSlack = 128

// newest encodes as many of a list's last elements as fit.
func newest[T any](list []T, limit int) json.RawMessage {
	first, size := len(list), len("[]")
	encoded := make([][]byte, len(list))
	for i := len(list) - 1; i >= 0; i-- {
		encoded[i] = encodeState(list[i])
		if size += len(encoded[i]) + 1; size > limit {
			break
		}
		first = i
	}
	out := []byte{'['}
	for i, text := range encoded[first:] {
		if i > 0 {
			out = append(out, ',')
		}
		out = append(out, text...)
	}
	return append(out, ']')
}
