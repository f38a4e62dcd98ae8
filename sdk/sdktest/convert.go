package sdktest

import (
	"fmt"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/hermes-cdp/hermes-cdp/abi"
	"github.com/hermes-cdp/hermes-cdp/abi/abijson"
)

// direction is which message of a hook is meant.
type direction bool

const (
	input  direction = false
	output direction = true
)

// encode turns the JSON of a hook's event or verdict into the bytes that cross to the plugin.
func encode(hook abi.Hook, d direction, text jsontext.Value) ([]byte, error) {
	if len(text) == 0 {
		return nil, nil
	}
	switch {
	case hook == abi.HookDialog && d == input:
		return encodeAs(text, new(abi.DialogEvent))
	case hook == abi.HookDialog:
		return encodeAs(text, new(abi.DialogVerdict))
	case hook == abi.HookDialogClosed && d == input:
		return encodeAs(text, new(abi.DialogClosedEvent))
	case hook == abi.HookDialogClosed:
		return encodeNothing(text)
	case hook == abi.HookFrames && d == input:
		return encodeAs(text, new(abi.FramesEvent))
	case hook == abi.HookFrames:
		return encodeAs(text, new(abi.FramesVerdict))
	case hook == abi.HookBridgeScript && d == input:
		return encodeAs(text, new(abi.BridgeScriptEvent))
	case hook == abi.HookBridgeScript:
		return encodeAs(text, new(abi.BridgeScript))
	case hook == abi.HookBridgeRequest && d == input:
		return encodeAs(text, new(abi.BridgeRequestEvent))
	case hook == abi.HookBridgeRequest:
		return encodeAs(text, new(abi.BridgeRequest))
	case hook == abi.HookBridgeReply && d == input:
		return encodeAs(text, new(abi.BridgeReplyEvent))
	case hook == abi.HookBridgeReply:
		return encodeAs(text, new(abi.BridgeReply))
	case hook == abi.HookNavigate && d == input:
		return encodeAs(text, new(abi.NavigateEvent))
	case hook == abi.HookNavigate:
		return encodeAs(text, new(abi.NavigateVerdict))
	case hook == abi.HookToolCall && d == input:
		return encodeAs(text, new(abi.ToolCallEvent))
	case hook == abi.HookToolCall:
		return encodeAs(text, new(abi.ToolResult))
	default:
		return nil, fmt.Errorf("hook %q has no such message", hook)
	}
}

// encodeNothing reads the verdict of a hook that wants none.
func encodeNothing(text jsontext.Value) ([]byte, error) {
	return nil, json.Unmarshal(text, &struct{}{}, json.RejectUnknownMembers(true))
}

// encoder is a message of package abi.
type encoder interface {
	abijson.Message
	Append(dst []byte) []byte
}

func encodeAs[M encoder](text jsontext.Value, m M) ([]byte, error) {
	if err := abijson.Unmarshal(text, m); err != nil {
		return nil, err
	}
	return m.Append(nil), nil
}

// show is a verdict in JSON, or the bytes where they are none.
func show(hook abi.Hook, verdict []byte) string {
	switch hook {
	case abi.HookDialogClosed:
		return "{}"
	case abi.HookDialog:
		return showAs(verdict, new(abi.DialogVerdict))
	case abi.HookFrames:
		return showAs(verdict, new(abi.FramesVerdict))
	case abi.HookBridgeScript:
		return showAs(verdict, new(abi.BridgeScript))
	case abi.HookBridgeRequest:
		return showAs(verdict, new(abi.BridgeRequest))
	case abi.HookBridgeReply:
		return showAs(verdict, new(abi.BridgeReply))
	case abi.HookNavigate:
		return showAs(verdict, new(abi.NavigateVerdict))
	case abi.HookToolCall:
		return showAs(verdict, new(abi.ToolResult))
	default:
		return fmt.Sprintf("% x", verdict)
	}
}

func showAs[M interface {
	abijson.Message
	Unmarshal(src []byte) error
}](verdict []byte, m M) string {
	if err := m.Unmarshal(verdict); err != nil {
		return fmt.Sprintf("% x (%v)", verdict, err)
	}
	text, err := abijson.Marshal(m)
	if err != nil {
		return err.Error()
	}
	return string(text)
}
