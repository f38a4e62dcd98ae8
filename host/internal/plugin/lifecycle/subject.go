package lifecycle

import (
	"encoding/binary"

	"github.com/hermes-cdp/hermes-cdp/abi"
)

// subjects has the number of the field that says what an event is about: the id of a dialog or target. Events of the
// bridge have none.
var subjects = map[abi.Hook]uint64{
	abi.HookDialog: 2, abi.HookDialogClosed: 2, abi.HookFrames: 2, abi.HookNavigate: 8, abi.HookRequest: 13, abi.HookToolCall: 4,
	abi.HookBeforeTool: 5, abi.HookAfterTool: 5, abi.HookConsole: 6, abi.HookSnapshot: 2, abi.HookDownload: 2, abi.HookUpload: 2,
}

// subject reads that field without decoding the rest, because it runs in every call.
func subject(hook abi.Hook, event []byte) string {
	const varint, bytes = 0, 2
	want, ok := subjects[hook]
	if !ok {
		return ""
	}
	for len(event) > 0 {
		tag, n := binary.Uvarint(event)
		value, more := uint64(0), 0
		if n > 0 {
			value, more = binary.Uvarint(event[n:])
		}
		if n <= 0 || more <= 0 {
			return ""
		}
		event = event[n+more:]
		switch tag & 7 {
		case varint:
		case bytes:
			if value > uint64(len(event)) {
				return ""
			}
			if tag>>3 == want {
				return string(event[:value])
			}
			event = event[value:]
		default:
			return ""
		}
	}
	return ""
}
