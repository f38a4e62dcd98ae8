package cdp

import (
	"bytes"
	"encoding/json"
	"strconv"
)

// envelope is the top level of a message. Its slices point into the message.
type envelope struct {
	id    int64
	hasID bool
	// method and sessionID are the text between the quotes; if there were escapes, which is rare, a copy without them.
	method, sessionID []byte
	// params, result and fail are raw JSON values; nil when absent.
	params, result, fail []byte
	// skipped says that the scan stopped early because nobody subscribed to the event.
	skipped bool
}

// scanEnvelope scans the top level of one message without allocating, whatever the order of its keys: Chromium puts
// sessionId last. Values are skipped, not checked: whoever decodes them finds out whether they are well-formed. wanted
// reports which events to scan to the end; nil means all. It returns false for anything other than one JSON object.
func scanEnvelope(data []byte, wanted func(method []byte) bool) (envelope, bool) {
	var e envelope
	i := skipSpace(data, 0)
	if i >= len(data) || data[i] != '{' {
		return e, false
	}
	i = skipSpace(data, i+1)
	if i < len(data) && data[i] == '}' {
		return e, skipSpace(data, i+1) == len(data)
	}
	for {
		if i >= len(data) || data[i] != '"' {
			return e, false
		}
		end := stringEnd(data, i+1)
		if end < 0 {
			return e, false
		}
		key, ok := text(data[i+1 : end])
		i = skipSpace(data, end+1)
		if !ok || i >= len(data) || data[i] != ':' {
			return e, false
		}
		start := skipSpace(data, i+1)
		end = valueEnd(data, start)
		if end < 0 || !e.set(key, data[start:end]) {
			return e, false
		}
		if e.method != nil && !e.hasID && wanted != nil && !wanted(e.method) {
			e.skipped = true
			return e, true
		}
		i = skipSpace(data, end)
		if i >= len(data) {
			return e, false
		}
		switch data[i] {
		case ',':
			i = skipSpace(data, i+1)
		case '}':
			return e, skipSpace(data, i+1) == len(data)
		default:
			return e, false
		}
	}
}

// set stores a member; a repeated key overwrites, as in encoding/json. It returns false for a value of the wrong type.
func (e *envelope) set(key, value []byte) (ok bool) {
	switch string(key) {
	case "id":
		e.id, e.hasID = integer(value)
		return e.hasID
	case "method":
		e.method, ok = quoted(value)
		return ok
	case "sessionId":
		e.sessionID, ok = quoted(value)
		return ok
	case "params":
		e.params = value
	case "result":
		e.result = value
	case "error":
		e.fail = value
	}
	return true
}

// integer parses a command id. CDP uses whole numbers; fractions and exponents never occur.
func integer(value []byte) (int64, bool) {
	if len(value) == 0 || len(value) > 19 {
		return 0, false
	}
	var n int64
	for _, c := range value {
		if c < '0' || c > '9' {
			// Negative ids come only from other clients, so this need not be fast.
			n, err := strconv.ParseInt(string(value), 10, 64)
			return n, err == nil
		}
		n = n*10 + int64(c-'0')
	}
	return n, n >= 0
}

// quoted returns the text of a string value.
func quoted(value []byte) ([]byte, bool) {
	if len(value) < 2 || value[0] != '"' {
		return nil, false
	}
	return text(value[1 : len(value)-1])
}

// text resolves escapes; without any it returns the input itself.
func text(raw []byte) ([]byte, bool) {
	if bytes.IndexByte(raw, '\\') < 0 {
		return raw, true
	}
	var s string
	whole := append(append([]byte{'"'}, raw...), '"')
	if err := json.Unmarshal(whole, &s); err != nil {
		return nil, false
	}
	return []byte(s), true
}

// skipSpace returns the index of the first byte from i on that is not JSON white space.
func skipSpace(data []byte, i int) int {
	for i < len(data) {
		switch data[i] {
		case ' ', '\t', '\n', '\r':
			i++
		default:
			return i
		}
	}
	return i
}

// stringEnd returns the index of the quote that closes the string whose first byte is at start; -1 if there is none.
func stringEnd(data []byte, start int) int {
	for i := start; ; {
		n := bytes.IndexByte(data[i:], '"')
		if n < 0 {
			return -1
		}
		i += n
		back := i
		for back > start && data[back-1] == '\\' {
			back--
		}
		if (i-back)%2 == 0 {
			return i
		}
		i++
	}
}

// valueEnd returns the index after the value that begins at i; -1 if it does not end.
func valueEnd(data []byte, i int) int {
	if i >= len(data) {
		return -1
	}
	switch data[i] {
	case '"':
		if i = stringEnd(data, i+1); i < 0 {
			return -1
		}
		return i + 1
	case '{', '[':
		return containerEnd(data, i)
	}
	start := i
	for i < len(data) {
		switch data[i] {
		case ',', '}', ']', ' ', '\t', '\n', '\r':
			if i == start {
				return -1
			}
			return i
		}
		i++
	}
	return -1
}

// structural marks the bytes that containerEnd has to look at.
var structural = [256]byte{'"': 1, '{': 2, '[': 2, '}': 3, ']': 3}

// containerEnd returns the index after the object or array that opens at i. Brackets are counted, not matched by kind.
func containerEnd(data []byte, i int) int {
	depth := 0
	for i < len(data) {
		switch structural[data[i]] {
		case 1:
			if i = stringEnd(data, i+1); i < 0 {
				return -1
			}
		case 2:
			depth++
		case 3:
			if depth--; depth == 0 {
				return i + 1
			}
		}
		i++
	}
	return -1
}
