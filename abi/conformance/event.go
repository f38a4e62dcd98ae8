package conformance

import (
	"bytes"
	"encoding/binary"
	"encoding/hex"
	"fmt"

	"github.com/hermes-cdp/hermes-cdp/abi"
)

// Hex is bytes that a file has in hexadecimal; spaces between them do not count.
type Hex []byte

// UnmarshalText reads hexadecimal digits.
func (h *Hex) UnmarshalText(text []byte) error {
	b, err := hex.DecodeString(string(bytes.ReplaceAll(text, []byte(" "), nil)))
	*h = b
	return err
}

// MarshalText writes hexadecimal digits.
func (h Hex) MarshalText() ([]byte, error) { return []byte(hex.EncodeToString(h)), nil }

// Event says how the bytes of an event are made. As two messages one after the other are one that is merged of them, every
// part can be made without decoding anything.
type Event struct {
	Base    string `json:"base"`              // the name of an event in events.json, "" is one without bytes
	Prepend Hex    `json:"prepend,omitempty"` // before the base
	Append  Hex    `json:"append,omitempty"`  // after it
	Text    *Text  `json:"text,omitempty"`    // after that
	PadTo   int    `json:"pad_to,omitempty"`  // so many bytes in all, by an unknown field of zeros; 0: none
	Cut     int    `json:"cut,omitempty"`     // so many bytes less at the end
}

// Text is a field of text.
type Text struct {
	Field int    `json:"field"` // its number
	Unit  string `json:"unit"`  // what is repeated
	Times int    `json:"times"`
}

// paddingField is the number of a field that no message will have.
const paddingField = 536870911

// build makes the event of a hook.
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

// pad adds an unknown field, so that there are size bytes in all. It takes 8 bytes and its content, as its length has the
// form of three bytes whether it needs them or not.
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
