package abi

// Message is a message that hosts and plugins exchange.
type Message interface {
	// Append appends the encoded message to dst.
	Append(dst []byte) []byte
	// Unmarshal replaces the message with a copy of what src encodes, or with the zero value if the error is not nil.
	Unmarshal(src []byte) error
}

// NewMessages returns an empty event and an empty verdict of a hook. The verdict is nil if the hook has none, and both
// are if this version does not know the hook.
func NewMessages(hook Hook) (event, verdict Message) {
	switch hook {
	case HookDialog:
		return new(DialogEvent), new(DialogVerdict)
	case HookDialogClosed:
		return new(DialogClosedEvent), nil
	case HookFrames:
		return new(FramesEvent), new(FramesVerdict)
	case HookBridgeScript:
		return new(BridgeScriptEvent), new(BridgeScript)
	case HookBridgeRequest:
		return new(BridgeRequestEvent), new(BridgeRequest)
	case HookBridgeReply:
		return new(BridgeReplyEvent), new(BridgeReply)
	case HookNavigate:
		return new(NavigateEvent), new(NavigateVerdict)
	case HookRequest:
		return new(RequestEvent), new(RequestVerdict)
	case HookToolCall:
		return new(ToolCallEvent), new(ToolResult)
	case HookBeforeTool, HookAfterTool:
		return new(ToolUseEvent), new(ToolVerdict)
	case HookConsole:
		return new(ConsoleEvent), new(ConsoleVerdict)
	case HookSnapshot:
		return new(SnapshotEvent), new(SnapshotVerdict)
	case HookDownload, HookUpload:
		return new(FileEvent), new(FileVerdict)
	}
	return nil, nil
}
