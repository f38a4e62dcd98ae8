package abijson

import (
	"fmt"

	"github.com/go-json-experiment/json"

	"github.com/hermes-cdp/hermes-cdp/abi"
)

// Event formats the encoded event of a hook as JSON on one line.
func Event(hook abi.Hook, wire []byte) ([]byte, error) { return messagesOf(hook).event.show(wire) }

// ParseEvent is the inverse of [Event].
func ParseEvent(hook abi.Hook, text []byte) ([]byte, error) {
	return messagesOf(hook).event.parse(text)
}

// Verdict formats the encoded verdict of a hook as JSON on one line: {} for a hook without verdicts.
func Verdict(hook abi.Hook, wire []byte) ([]byte, error) { return messagesOf(hook).verdict.show(wire) }

// ParseVerdict is the inverse of [Verdict].
func ParseVerdict(hook abi.Hook, text []byte) ([]byte, error) {
	return messagesOf(hook).verdict.parse(text)
}

// codec converts one type of message to JSON and back.
type codec struct {
	show  func(wire []byte) ([]byte, error)
	parse func(text []byte) ([]byte, error)
}

type hookMessages struct{ event, verdict codec }

// hooks are the messages of every hook; hermes.proto and docs/abi.md name them.
var hooks = map[abi.Hook]hookMessages{
	abi.HookDialog:        {codecOf[abi.DialogEvent](), codecOf[abi.DialogVerdict]()},
	abi.HookDialogClosed:  {codecOf[abi.DialogClosedEvent](), nothing},
	abi.HookFrames:        {codecOf[abi.FramesEvent](), codecOf[abi.FramesVerdict]()},
	abi.HookBridgeScript:  {codecOf[abi.BridgeScriptEvent](), codecOf[abi.BridgeScript]()},
	abi.HookBridgeRequest: {codecOf[abi.BridgeRequestEvent](), codecOf[abi.BridgeRequest]()},
	abi.HookBridgeReply:   {codecOf[abi.BridgeReplyEvent](), codecOf[abi.BridgeReply]()},
	abi.HookNavigate:      {codecOf[abi.NavigateEvent](), codecOf[abi.NavigateVerdict]()},
	abi.HookToolCall:      {codecOf[abi.ToolCallEvent](), codecOf[abi.ToolResult]()},
}

// messagesOf returns codecs that fail if the hook is unknown.
func messagesOf(hook abi.Hook) hookMessages {
	if messages, ok := hooks[hook]; ok {
		return messages
	}
	fail := func([]byte) ([]byte, error) {
		return nil, fmt.Errorf("unknown hook %q; the hooks are %v", hook, abi.Hooks())
	}
	return hookMessages{codec{fail, fail}, codec{fail, fail}}
}

// wireMessage is a message that knows its own encoding.
type wireMessage[T any] interface {
	*T
	Append(dst []byte) []byte
	Unmarshal(src []byte) error
}

func codecOf[T any, M wireMessage[T]]() codec {
	return codec{
		show: func(wire []byte) ([]byte, error) {
			m := M(new(T))
			if err := m.Unmarshal(wire); err != nil {
				return nil, err
			}
			return json.Marshal(m, options())
		},
		parse: func(text []byte) ([]byte, error) {
			m := M(new(T))
			if err := json.Unmarshal(text, m, options()); err != nil {
				return nil, explain(err)
			}
			return m.Append(nil), nil
		},
	}
}

// nothing is for hooks without a verdict.
var nothing = codec{
	show: func(wire []byte) ([]byte, error) {
		if len(wire) > 0 {
			return nil, fmt.Errorf("%d bytes where the hook has no verdict", len(wire))
		}
		return []byte("{}"), nil
	},
	parse: func(text []byte) ([]byte, error) {
		if string(text) != "{}" {
			return nil, fmt.Errorf("the hook has no verdict; write {}, not %.40q", text)
		}
		return nil, nil
	},
}
