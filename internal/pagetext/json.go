package pagetext

import (
	"bytes"
	"encoding/json"
)

// JSON makes the texts of JSON visible as [Lines] does, with the JSON around them as it is.
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

// literal is the length of the text in quotes that a value begins with.
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

// shown makes one text of JSON visible; one that is none stays.
func shown(quoted []byte) []byte {
	var text string
	if json.Unmarshal(quoted, &text) != nil {
		return quoted
	}
	visible := Lines(text)
	if visible == text {
		return quoted
	}
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	if encoder.Encode(visible) != nil { // a text always encodes
		return quoted
	}
	return bytes.TrimSuffix(out.Bytes(), []byte("\n"))
}
