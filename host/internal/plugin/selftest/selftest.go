// Package selftest asks each hook of a module about one artificial event, before the module may decide on real ones.
package selftest

import (
	"fmt"

	"github.com/hermes-cdp/hermes-cdp/abi"
)

// test is the artificial event of a hook, with the check of its verdict.
type test struct {
	event  func() []byte
	decode func(verdict []byte) error
}

var tests = map[abi.Hook]test{
	abi.HookDialog:       {dialogEvent, checkDialogVerdict},
	abi.HookDialogClosed: {dialogClosedEvent, nil},
	abi.HookFrames:       {framesEvent, checkFramesVerdict},

	abi.HookBridgeScript:  {bridgeScriptEvent, checkBridgeScript},
	abi.HookBridgeRequest: {bridgeRequestEvent, checkBridgeRequest},
	abi.HookBridgeReply:   {bridgeReplyEvent, checkBridgeReply},

	abi.HookNavigate: {navigateEvent, checkNavigateVerdict},
	abi.HookToolCall: {toolCallEvent, checkToolResult},
}

// Event returns the artificial event of a hook, encoded; ok is false for an unknown hook.
func Event(hook abi.Hook) (event []byte, ok bool) {
	t, ok := tests[hook]
	if !ok {
		return nil, false
	}
	return t.event(), true
}

// madeUpHeader has fixed values, so that a check gives the same result each time.
func madeUpHeader() abi.Header {
	return abi.Header{Sequence: 1, TimeUnixNano: 1, TaskID: TaskID, Revision: 1, RandomSeed: make([]byte, 16)}
}

func dialogEvent() []byte {
	return (&abi.DialogEvent{
		Header:    madeUpHeader(),
		DialogID:  "d-1",
		Type:      abi.DialogTypeConfirm,
		Message:   "Leave this page?",
		URL:       "https://example.com/",
		Origin:    "https://example.com",
		FrameID:   "F1",
		FrameKind: abi.FrameKindTop,
		TargetID:  "T1",
	}).Append(nil)
}

func checkDialogVerdict(verdict []byte) error {
	var v abi.DialogVerdict
	if err := v.Unmarshal(verdict); err != nil {
		return err
	}
	switch v.Action {
	case abi.DialogActionHold, abi.DialogActionAccept, abi.DialogActionDismiss:
	default:
		return fmt.Errorf("action %d is not hold (%d), accept (%d) or dismiss (%d)", v.Action, abi.DialogActionHold,
			abi.DialogActionAccept, abi.DialogActionDismiss)
	}
	if v.TimeoutMs < 0 {
		return fmt.Errorf("timeout_ms is %d; it must not be negative", v.TimeoutMs)
	}
	return nil
}

func dialogClosedEvent() []byte {
	return (&abi.DialogClosedEvent{
		Header:    madeUpHeader(),
		DialogID:  "d-1",
		Type:      abi.DialogTypeConfirm,
		ClosedBy:  abi.ClosedByAgent,
		Accepted:  true,
		OpenNanos: 1_000_000,
	}).Append(nil)
}

// madeUpFrames are a top frame with a child of each kind.
var madeUpFrames = []abi.Frame{
	{FrameID: "F1", URL: "https://example.com/", Origin: "https://example.com", Kind: abi.FrameKindTop},
	{FrameID: "F2", ParentFrameID: "F1", URL: "https://example.com/a", Origin: "https://example.com",
		Kind: abi.FrameKindLocal, Depth: 1},
	{FrameID: "F3", ParentFrameID: "F1", URL: "https://example.org/", Origin: "https://example.org",
		Kind: abi.FrameKindOOPIF, Depth: 1, OOPIFDepth: 1},
}

func framesEvent() []byte {
	return (&abi.FramesEvent{Header: madeUpHeader(), TargetID: "T1", Frames: madeUpFrames}).Append(nil)
}

func checkFramesVerdict(verdict []byte) error { return checkKept(verdict, len(madeUpFrames)) }

func checkKept(verdict []byte, frames int) error {
	var v abi.FramesVerdict
	if err := v.Unmarshal(verdict); err != nil {
		return err
	}
	for n, index := range v.Kept {
		if int64(index) >= int64(frames) {
			return fmt.Errorf("kept names frame %d of %d", index, frames)
		}
		if n > 0 && index <= v.Kept[n-1] {
			return fmt.Errorf("kept must be ascending, but %d follows %d", index, v.Kept[n-1])
		}
	}
	return nil
}
