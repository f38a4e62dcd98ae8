package cdp

import (
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/chromedp/cdproto/cdp/jsonv2"
)

// The types of cdproto are written for version 2 of the JSON package, which cdproto/cdp/jsonv2 makes available to every
// Go version. Pages put lone surrogates into strings, so invalid UTF-8 is allowed in both directions.
func marshal(v any) ([]byte, error) { return jsonv2.Marshal(v, jsonv2.AllowInvalidUTF8(true)) }
func unmarshal(data []byte, into any) error {
	return jsonv2.Unmarshal(data, into, jsonv2.AllowInvalidUTF8(true))
}

// Unmarshal decodes the parameters or the result of a message, which may be missing. Lone surrogates, which pages may
// put into any text, become U+FFFD.
func Unmarshal(data []byte, into any) error {
	if len(data) == 0 {
		return nil
	}
	return unmarshal(data, into)
}

// newOutgoing encodes a command, with spare capacity of one byte for the NUL of a pipe.
func newOutgoing(id int64, sessionID, method string, params []byte) []byte {
	out := make([]byte, 0, len(sessionID)+len(method)+len(params)+64)
	out = append(out, `{"id":`...)
	out = strconv.AppendInt(out, id, 10)
	out = append(out, `,"method":`...)
	out = appendString(out, method)
	if params != nil {
		out = append(out, `,"params":`...)
		out = append(out, params...)
	}
	if sessionID != "" {
		out = append(out, `,"sessionId":`...)
		out = appendString(out, sessionID)
	}
	return append(out, '}')
}

// appendString appends a JSON string. Method names and session ids are plain ASCII unless somebody invents one.
func appendString(out []byte, s string) []byte {
	plain := strings.IndexFunc(s, func(r rune) bool { return r < ' ' || r > '~' || r == '"' || r == '\\' }) < 0
	if !plain {
		quoted, _ := json.Marshal(s) // a string always encodes
		return append(out, quoted...)
	}
	out = append(out, '"')
	out = append(out, s...)
	return append(out, '"')
}

// encodeParams returns the raw JSON of the parameters of a command; nil if there are none. Raw JSON is checked: the
// browser answers a malformed message without an id, so its call would wait forever.
func encodeParams(params any) ([]byte, error) {
	var raw []byte
	switch p := params.(type) {
	case nil:
		return nil, nil
	case json.RawMessage:
		raw = p
	case jsonv2.Value:
		raw = p
	case []byte:
		raw = p
	default:
		out, err := marshal(params)
		if err != nil {
			return nil, fmt.Errorf("encode params: %w", err)
		}
		if string(out) == "null" { // a nil pointer or map
			return nil, nil
		}
		return out, nil
	}
	if len(raw) == 0 {
		return nil, nil
	}
	if !json.Valid(raw) {
		return nil, errors.New("encode params: the raw params are not valid JSON")
	}
	return raw, nil
}

// decodeResult decodes the raw JSON of a reply into result; nil ignores it.
func decodeResult(raw []byte, result any) error {
	switch into := result.(type) {
	case nil:
		return nil
	case *json.RawMessage:
		*into = raw
		return nil
	case *jsonv2.Value:
		*into = raw
		return nil
	case *[]byte:
		*into = raw
		return nil
	}
	if err := unmarshal(raw, result); err != nil {
		return fmt.Errorf("decode result: %w", err)
	}
	return nil
}
