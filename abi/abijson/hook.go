package abijson

import (
	"fmt"

	"github.com/hermes-cdp/hermes-cdp/abi"
)

// Event formats the encoded event of a hook as JSON on one line.
func Event(hook abi.Hook, wire []byte) ([]byte, error) {
	event, _, err := messagesOf(hook)
	if err != nil {
		return nil, err
	}
	return show(event, wire)
}

// ParseEvent is the inverse of [Event].
func ParseEvent(hook abi.Hook, text []byte) ([]byte, error) {
	event, _, err := messagesOf(hook)
	if err != nil {
		return nil, err
	}
	return parse(event, text)
}

// Verdict formats the encoded verdict of a hook as JSON on one line: {} for a hook without verdicts.
func Verdict(hook abi.Hook, wire []byte) ([]byte, error) {
	_, verdict, err := messagesOf(hook)
	switch {
	case err != nil:
		return nil, err
	case verdict != nil:
		return show(verdict, wire)
	case len(wire) > 0:
		return nil, fmt.Errorf("%d bytes where the hook has no verdict", len(wire))
	}
	return []byte("{}"), nil
}

// ParseVerdict is the inverse of [Verdict].
func ParseVerdict(hook abi.Hook, text []byte) ([]byte, error) {
	_, verdict, err := messagesOf(hook)
	switch {
	case err != nil:
		return nil, err
	case verdict != nil:
		return parse(verdict, text)
	case string(text) != "{}":
		return nil, fmt.Errorf("the hook has no verdict; write {}, not %.40q", text)
	}
	return nil, nil
}

func messagesOf(hook abi.Hook) (event, verdict abi.Message, err error) {
	if event, verdict = abi.NewMessages(hook); event == nil {
		err = fmt.Errorf("unknown hook %q; the hooks are %v", hook, abi.Hooks())
	}
	return event, verdict, err
}

func show(m abi.Message, wire []byte) ([]byte, error) {
	if err := m.Unmarshal(wire); err != nil {
		return nil, err
	}
	return codec.Marshal(m)
}

func parse(m abi.Message, text []byte) ([]byte, error) {
	if err := codec.Unmarshal(text, m); err != nil {
		return nil, err
	}
	return m.Append(nil), nil
}
