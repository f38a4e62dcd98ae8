package host

import "encoding/json"

// The values of the keys of [Host.pluginState]. Names are those of the snapshot.

type taskStateJSON struct {
	TaskID         string `json:"task_id"`
	Revision       uint64 `json:"revision"`
	Disconnected   string `json:"disconnected,omitempty"`
	Reconnecting   bool   `json:"reconnecting,omitempty"`
	Targets        int    `json:"targets"`
	PendingDialogs int    `json:"pending_dialogs"`
	ConsoleTotal   int    `json:"console_total"`
}

func taskState(s *Snapshot) taskStateJSON {
	return taskStateJSON{
		TaskID: s.TaskID, Revision: s.Revision, Disconnected: s.Disconnected, Reconnecting: s.Reconnecting,
		Targets: len(s.Targets), PendingDialogs: len(s.PendingDialogs), ConsoleTotal: s.ConsoleTotal,
	}
}

func urlState(s *Snapshot) (string, bool) {
	if p := s.Page(); p != nil {
		return p.URL, true
	}
	return "", false
}

func tabState(s *Snapshot) (Target, bool) {
	if p := s.Page(); p != nil {
		return withoutFrames(*p), true
	}
	return Target{}, false
}

func targetsState(s *Snapshot) []Target {
	list := make([]Target, len(s.Targets))
	for i, t := range s.Targets {
		list[i] = withoutFrames(t)
	}
	return list
}

// withoutFrames leaves the frames to their own key. The session is nothing that a module could use.
func withoutFrames(t Target) Target {
	t.FrameTree, t.RawFrameTree, t.SessionID = nil, nil, ""
	return t
}

type framesStateJSON struct {
	TargetID  string     `json:"target_id"`
	URL       string     `json:"url"`
	FrameTree *FrameTree `json:"frame_tree"`
}

func framesState(s *Snapshot) []framesStateJSON {
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

func dialogsState(s *Snapshot) dialogsStateJSON {
	pending := encodeState(s.PendingDialogs)
	return dialogsStateJSON{pending, newest(s.RecentDialogs, maxStateBytes-len(pending)-listSlack)}
}

type navigationsStateJSON struct {
	Recent json.RawMessage `json:"recent_navigations"`
	Unseen int             `json:"navigations_unseen"`
}

func navigationsState(s *Snapshot) navigationsStateJSON {
	return navigationsStateJSON{newest(s.RecentNavigations, maxStateBytes-listSlack), s.NavigationsUnseen}
}

type consoleStateJSON struct {
	Messages json.RawMessage `json:"console_messages"`
	Total    int             `json:"console_total"`
}

func consoleState(s *Snapshot) consoleStateJSON {
	return consoleStateJSON{newest(s.Console, maxStateBytes-listSlack), s.ConsoleTotal}
}

// listSlack is what an object has around its lists.
const listSlack = 128

// newest is a list in JSON, of as many of its last elements as fit.
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
