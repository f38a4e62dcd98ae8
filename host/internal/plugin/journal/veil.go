package journal

import (
	"fmt"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/hermes-cdp/hermes-cdp/abi"
	"github.com/hermes-cdp/hermes-cdp/abi/abijson"
)

// Veil hides the secrets of some calls in whatever is shown about them. It is safe for concurrent use. The zero Veil
// hides nothing.
type Veil struct{ hidden secrets }

// Veil returns a veil for the secrets of calls: those in their configurations, events, exchanges and verdicts, and the
// tokens of their tasks. An entry may have only some of these.
func (m *Masker) Veil(calls ...Entry) Veil {
	v := Veil{secrets{}}
	for _, e := range calls {
		v.hidden.addAll(m.encoder.tokensOf(e.Task))
		v.learn(e.Config, showConfig)
		v.learn(e.Event, forHook(e.Hook, abijson.Event))
		v.learn(e.Verdict, forHook(e.Hook, abijson.Verdict))
		for _, x := range e.Exchanges {
			v.hidden.findInExchange(x)
		}
	}
	return v
}

// learn adds the secrets of a message. One that cannot be decoded is not shown either.
func (v Veil) learn(wire []byte, show func([]byte) ([]byte, error)) {
	if len(wire) == 0 {
		return
	}
	if text, err := show(wire); err == nil {
		_ = v.hidden.find(text) // as far as it is JSON
	}
}

// Text returns a text with the secrets masked.
func (v Veil) Text(s string) string { return v.hidden.masked(s) }

// Event returns an encoded event as the JSON of package abijson, with the secrets masked. The error says that it is not
// an event of the hook.
func (v Veil) Event(hook abi.Hook, wire []byte) (jsontext.Value, error) {
	return v.message(wire, forHook(hook, abijson.Event))
}

// Verdict does the same for an encoded verdict.
func (v Veil) Verdict(hook abi.Hook, wire []byte) (jsontext.Value, error) {
	return v.message(wire, forHook(hook, abijson.Verdict))
}

func (v Veil) message(wire []byte, show func([]byte) ([]byte, error)) (jsontext.Value, error) {
	text, err := show(wire)
	if err != nil {
		return nil, err
	}
	shown, _, err := v.hidden.maskJSON(text)
	if err != nil {
		return nil, fmt.Errorf("its secrets cannot be masked: %w", err)
	}
	return shown, nil
}
