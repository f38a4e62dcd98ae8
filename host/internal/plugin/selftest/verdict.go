package selftest

import (
	"fmt"

	"github.com/hermes-cdp/hermes-cdp/abi"
)

// Check says what is wrong with a verdict of a hook on an encoded event, as the host would when it applies it. It is
// nil if the host can use the verdict.
func Check(hook abi.Hook, event, verdict []byte) error {
	switch hook {
	case abi.HookFrames:
		var e abi.FramesEvent
		if err := e.Unmarshal(event); err != nil {
			return fmt.Errorf("the event: %w", err)
		}
		return checkKept(verdict, len(e.Frames))
	case abi.HookBridgeReply: // the requirements depend on the kind of the request
		return new(abi.BridgeReply).Unmarshal(verdict)
	}
	if t, ok := tests[hook]; ok && t.decode != nil {
		return t.decode(verdict)
	}
	return nil
}
