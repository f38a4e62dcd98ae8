package abijson

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/hermes-cdp/hermes-cdp/abi"
)

// ParseStruct parses a JSON object and sorts its keys. A repeated key, invalid UTF-8, a number that a double cannot
// hold and anything after the object are errors.
func ParseStruct(data []byte) (abi.Struct, error) {
	value, err := ParseValue(data)
	if err == nil && value.Kind != abi.KindStruct {
		err = &ValueError{"", "want a JSON object, not " + value.Kind.String()}
	}
	return value.Struct, err
}

// ParseValue is [ParseStruct] for any JSON value.
func ParseValue(data []byte) (abi.Value, error) {
	decoder := jsontext.NewDecoder(bytes.NewReader(data))
	value, err := readValue(decoder, "", 0)
	if err != nil {
		return abi.Value{}, err
	}
	if _, err := decoder.ReadToken(); !errors.Is(err, io.EOF) {
		return abi.Value{}, &ValueError{"", fmt.Sprintf("more text after the value, at byte %d", decoder.InputOffset())}
	}
	return value, nil
}

func readValue(d *jsontext.Decoder, path string, depth int) (abi.Value, error) {
	token, err := d.ReadToken()
	if err != nil {
		return abi.Value{}, &ValueError{path, err.Error()}
	}
	switch token.Kind() {
	case '"':
		return abi.StringValue(token.String()), nil
	case '0':
		return fromLiteral(path, token.String())
	case 't', 'f':
		return abi.BoolValue(token.Bool()), nil
	case '{', '[':
		if depth >= abi.MaxValueDepth {
			return abi.Value{}, tooDeep(path)
		}
		if token.Kind() == '{' {
			return readObject(d, path, depth)
		}
		return readArray(d, path, depth)
	default:
		return abi.Value{}, nil
	}
}

func readObject(d *jsontext.Decoder, path string, depth int) (abi.Value, error) {
	fields := abi.Struct{}
	for d.PeekKind() != '}' {
		token, err := d.ReadToken()
		if err != nil {
			return abi.Value{}, &ValueError{path, err.Error()}
		}
		key := token.String()
		value, err := readValue(d, join(path, key), depth+1)
		if err != nil {
			return abi.Value{}, err
		}
		fields = append(fields, abi.Field{Key: key, Value: value})
	}
	if _, err := d.ReadToken(); err != nil {
		return abi.Value{}, &ValueError{path, err.Error()}
	}
	slices.SortFunc(fields, func(a, b abi.Field) int { return strings.Compare(a.Key, b.Key) })
	return abi.StructValue(fields), nil
}

func readArray(d *jsontext.Decoder, path string, depth int) (abi.Value, error) {
	items := []abi.Value{}
	for d.PeekKind() != ']' {
		value, err := readValue(d, index(path, len(items)), depth+1)
		if err != nil {
			return abi.Value{}, err
		}
		items = append(items, value)
	}
	if _, err := d.ReadToken(); err != nil {
		return abi.Value{}, &ValueError{path, err.Error()}
	}
	return abi.ListValue(items...), nil
}

// FormatStruct formats an object as JSON on one line, with its members in their order.
func FormatStruct(s abi.Struct) ([]byte, error) { return FormatValue(abi.StructValue(s)) }

// FormatValue is [FormatStruct] for any value. NaN and infinities are errors, since JSON does not have them.
func FormatValue(v abi.Value) ([]byte, error) {
	return json.Marshal(v, options())
}

// writeValue writes a configuration value inside a message.
func writeValue(e *jsontext.Encoder, path string, v abi.Value) error {
	switch v.Kind {
	case abi.KindNumber:
		if _, err := fromFloat(path, v.Number); err != nil {
			return err
		}
		return e.WriteToken(jsontext.Float(v.Number))
	case abi.KindString:
		return e.WriteToken(jsontext.String(v.String))
	case abi.KindBool:
		return e.WriteToken(jsontext.Bool(v.Bool))
	case abi.KindStruct:
		return writeStruct(e, path, v.Struct)
	case abi.KindList:
		if err := e.WriteToken(jsontext.BeginArray); err != nil {
			return err
		}
		for i := range v.List {
			if err := writeValue(e, index(path, i), v.List[i]); err != nil {
				return err
			}
		}
		return e.WriteToken(jsontext.EndArray)
	default:
		return e.WriteToken(jsontext.Null)
	}
}

func writeStruct(e *jsontext.Encoder, path string, s abi.Struct) error {
	if err := e.WriteToken(jsontext.BeginObject); err != nil {
		return err
	}
	for i := range s {
		if err := e.WriteToken(jsontext.String(s[i].Key)); err != nil {
			return err
		}
		if err := writeValue(e, join(path, s[i].Key), s[i].Value); err != nil {
			return err
		}
	}
	return e.WriteToken(jsontext.EndObject)
}
