package pagetext

import (
	"bytes"
	"encoding/json"
)

// JSON makes the strings in JSON visible as [Lines] does, and leaves everything else unchanged.
func JSON(value []byte) []byte {
	out := make([]byte, 0, len(value))
	for {
		from := bytes.IndexByte(value, '"')
		if from < 0 {
			return append(out, value...)
		}
		size := literal(value[from:])
		out = append(out, value[:from]...)
		out = append(out, shown(value[from:from+size])...)
		value = value[from+size:]
	}
}

// literal returns the length of the quoted string at the beginning of a value.
func literal(value []byte) int {
	for i := 1; i < len(value); i++ {
		switch value[i] {
		case '\\':
			i++
		case '"':
			return i + 1
		}
	}
	return len(value)
}

// shown makes one string of JSON visible; an invalid one stays.
func shown(quoted []byte) []byte {
	var text string
	if json.Unmarshal(quoted, &text) != nil {
		return quoted
	}
	visible := Lines(text)
	if visible == text {
		return quoted
	}
	out, err := Marshal(visible)
	if err != nil { // a string can always be encoded
		return quoted
	}
	return out
}

// Marshal is [json.Marshal] that leaves texts unchanged: that would write < as \u003c, also in JSON from pages.
func Marshal(v any) ([]byte, error) {
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	err := encoder.Encode(v)
	return bytes.TrimSuffix(out.Bytes(), []byte("\n")), err
}
