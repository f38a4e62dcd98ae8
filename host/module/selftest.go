package module

import (
	"fmt"

	"github.com/hermes-cdp/hermes-cdp/abi"
)

// selfTest is the made-up event of a hook, and what its verdict must be.
type selfTest struct {
	event  func() []byte
	decode func(verdict []byte) error
}

var selfTests = map[abi.Hook]selfTest{
	abi.HookDialog:       {dialogEvent, checkDialogVerdict},
	abi.HookDialogClosed: {dialogClosedEvent, nil},
	abi.HookFrames:       {framesEvent, checkFramesVerdict},

	abi.HookBridgeScript:  {bridgeScriptEvent, checkBridgeScript},
	abi.HookBridgeRequest: {bridgeRequestEvent, checkBridgeRequest},
	abi.HookBridgeReply:   {bridgeReplyEvent, checkBridgeReply},
}

// selfTestHeader has fixed values, so that a check gives the same answer each time.
func selfTestHeader() abi.Header {
	return abi.Header{Sequence: 1, TimeUnixNano: 1, TaskID: "self-test", Revision: 1, RandomSeed: make([]byte, 16)}
}

func dialogEvent() []byte {
	return (&abi.DialogEvent{
		Header:    selfTestHeader(),
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
		Header:    selfTestHeader(),
		DialogID:  "d-1",
		Type:      abi.DialogTypeConfirm,
		ClosedBy:  abi.ClosedByAgent,
		Accepted:  true,
		OpenNanos: 1_000_000,
	}).Append(nil)
}

// selfTestFrames are a top frame with a child of each kind.
var selfTestFrames = []abi.Frame{
	{FrameID: "F1", URL: "https://example.com/", Origin: "https://example.com", Kind: abi.FrameKindTop},
	{FrameID: "F2", ParentFrameID: "F1", URL: "https://example.com/a", Origin: "https://example.com",
		Kind: abi.FrameKindLocal, Depth: 1},
	{FrameID: "F3", ParentFrameID: "F1", URL: "https://example.org/", Origin: "https://example.org",
		Kind: abi.FrameKindOOPIF, Depth: 1, OOPIFDepth: 1},
}

func framesEvent() []byte {
	return (&abi.FramesEvent{Header: selfTestHeader(), TargetID: "T1", Frames: selfTestFrames}).Append(nil)
}

func checkFramesVerdict(verdict []byte) error {
	var v abi.FramesVerdict
	if err := v.Unmarshal(verdict); err != nil {
		return err
	}
	for n, index := range v.Kept {
		if int64(index) >= int64(len(selfTestFrames)) {
			return fmt.Errorf("kept names frame %d of %d", index, len(selfTestFrames))
		}
		if n > 0 && index <= v.Kept[n-1] {
			return fmt.Errorf("kept is not ascending: %d after %d", index, v.Kept[n-1])
		}
	}
	return nil
}
