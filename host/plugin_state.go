package host

import (
	"encoding/json"

	"github.com/hermes-cdp/hermes-cdp/abi"
)

// What modules with the capability "state" can read of their task, by key. It is JSON, with the names that
// `hermes-cdp snapshot --json` has; texts in it are the pages'. Of what the operator configured nothing is in it.
//
//	task         task_id, revision, disconnected, reconnecting, and how many targets, pending_dialogs, console_total
//	url          the address of the tab in use, a string
//	tab          the tab in use
//	targets      all tabs, popups and workers, without their frames
//	frames       the whole frame tree of every tab: target_id, url, frame_tree
//	dialogs      pending_dialogs, and as many of the newest recent_dialogs as fit
//	navigations  recent_navigations, those that were denied, as many of the newest as fit, and navigations_unseen
//	console      as many of the newest console_messages as fit, and console_total
//
// What does not fit into [maxStateBytes] without being a list of what is past is TOO_LARGE: half a frame tree would look
// like a whole one. A task that has ended, "url" and "tab" of a task without tabs, and any other key are NOT_FOUND.
var stateKeys = map[string]func(*Snapshot) (any, bool){
	"task":        func(s *Snapshot) (any, bool) { return taskState(s), true },
	"url":         func(s *Snapshot) (any, bool) { return urlState(s) },
	"tab":         func(s *Snapshot) (any, bool) { return tabState(s) },
	"targets":     func(s *Snapshot) (any, bool) { return targetsState(s), true },
	"frames":      func(s *Snapshot) (any, bool) { return framesState(s), true },
	"dialogs":     func(s *Snapshot) (any, bool) { return dialogsState(s), true },
	"navigations": func(s *Snapshot) (any, bool) { return navigationsState(s), true },
	"console":     func(s *Snapshot) (any, bool) { return consoleState(s), true },
}

// maxStateBytes is how large one answer may be. A module's memory holds it besides the largest event.
const maxStateBytes = abi.DefaultEventBytes

// pluginState gives one call of a module the state of a task. All its answers are of one snapshot, the first question's,
// and an answer is made once. It never waits.
func (h *Host) pluginState(task string) func(key string) ([]byte, abi.Code) {
	var snapshot *Snapshot
	made := map[string][]byte{}
	return func(key string) ([]byte, abi.Code) {
		find := stateKeys[key]
		if find == nil {
			return nil, abi.CodeNotFound
		}
		if snapshot == nil {
			t := h.Task(task)
			if t == nil {
				return nil, abi.CodeNotFound
			}
			snapshot = t.Snapshot()
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

// encodeState is JSON; what is encoded are plain values, which can not fail.
func encodeState(v any) []byte {
	text, err := json.Marshal(v)
	if err != nil {
		return []byte("null")
	}
	return text
}
