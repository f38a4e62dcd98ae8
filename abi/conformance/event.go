package conformance

import (
	"bytes"
	"encoding/binary"
	"encoding/hex"
	"fmt"

	"github.com/hermes-cdp/hermes-cdp/abi"
)

// Hex is bytes in hexadecimal; spaces between them are ignored.
type Hex []byte

// UnmarshalText reads hexadecimal digits.
func (h *Hex) UnmarshalText(text []byte) error {
	b, err := hex.DecodeString(string(bytes.ReplaceAll(text, []byte(" "), nil)))
	*h = b
	return err
}

// MarshalText writes hexadecimal digits.
func (h Hex) MarshalText() ([]byte, error) { return []byte(hex.EncodeToString(h)), nil }

// Event says how to build the bytes of an event. Two encoded messages in a row merge into one, so every part can be
// built without decoding anything.
type Event struct {
	Base    string `json:"base"`              // the name of an event in events.json; "" is an empty event
	Prepend Hex    `json:"prepend,omitempty"` // before the base
	Append  Hex    `json:"append,omitempty"`  // after it
	Text    *Text  `json:"text,omitempty"`    // after that
	PadTo   int    `json:"pad_to,omitempty"`  // pad to this many bytes, with an unknown field of zeros; 0: do not
	Cut     int    `json:"cut,omitempty"`     // remove this many bytes from the end
}

// Text is a field of text.
type Text struct {
	Field int    `json:"field"` // its number
	Unit  string `json:"unit"`  // the text to repeat
	Times int    `json:"times"`
}

// paddingField is the number of a field that no message will ever have.
const paddingField = 536870911

// build returns the event for a hook.
func (e Event) build(hook abi.Hook, bases map[string]map[abi.Hook]Hex) ([]byte, error) {
	out := bytes.Clone(e.Prepend)
	if e.Base != "" {
		base, ok := bases[e.Base][hook]
		if !ok {
			return nil, fmt.Errorf("events.json has no %q for %s", e.Base, hook)
		}
		out = append(out, base...)
	}
	out = append(out, e.Append...)
	if e.Text != nil {
		out = appendChunk(out, e.Text.Field, bytes.Repeat([]byte(e.Text.Unit), e.Text.Times))
	}
	if e.PadTo > 0 {
		out = pad(out, e.PadTo)
	}
	return out[:max(0, len(out)-e.Cut)], nil
}

// pad adds an unknown field, so that there are size bytes in total. The field takes 8 bytes plus its content, because
// its length is always written in three bytes.
func pad(dst []byte, size int) []byte {
	content := size - len(dst) - 8
	if content < 0 {
		return dst
	}
	dst = binary.AppendUvarint(dst, paddingField<<3|2)
	dst = append(dst, byte(content)|0x80, byte(content>>7)|0x80, byte(content>>14))
	return append(dst, make([]byte, content)...)
}

func appendChunk(dst []byte, field int, content []byte) []byte {
	dst = binary.AppendUvarint(dst, uint64(field)<<3|2)
	dst = binary.AppendUvarint(dst, uint64(len(content)))
	return append(dst, content...)
}
