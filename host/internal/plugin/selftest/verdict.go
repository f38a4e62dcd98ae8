package selftest

import (
	"fmt"

	"github.com/hermes-cdp/hermes-cdp/abi"
)

// Check tells what is wrong with the verdict of a hook on an encoded event, as the host would when it applies it. It is
// nil for a verdict that the host can use.
func Check(hook abi.Hook, event, verdict []byte) error {
	switch hook {
	case abi.HookFrames:
		var e abi.FramesEvent
		if err := e.Unmarshal(event); err != nil {
			return fmt.Errorf("the event: %w", err)
		}
		return checkKept(verdict, len(e.Frames))
	case abi.HookBridgeReply: // what it must have depends on the way of the request
		return new(abi.BridgeReply).Unmarshal(verdict)
	}
	if t, ok := tests[hook]; ok && t.decode != nil {
		return t.decode(verdict)
	}
	return nil
}
