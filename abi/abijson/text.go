package abijson

import (
	"encoding/json"
	"errors"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/hermes-cdp/hermes-cdp/abi"
	"github.com/hermes-cdp/hermes-cdp/internal/strictjson"
)

// ParseStruct parses a JSON object and sorts its keys. A repeated key, invalid UTF-8, half of a surrogate pair, a
// number that a double cannot hold and anything after the object are errors.
func ParseStruct(data []byte) (abi.Struct, error) {
	value, err := ParseValue(data)
	if err == nil && value.Kind != abi.KindStruct {
		err = &ValueError{"", "want a JSON object, not " + value.Kind.String()}
	}
	return value.Struct, err
}

// ParseValue is [ParseStruct] for any JSON value.
func ParseValue(data []byte) (abi.Value, error) {
	var value abi.Value
	err := parser.Unmarshal(data, &value)
	var syntax *strictjson.Error
	if errors.As(err, &syntax) {
		err = &ValueError{syntax.Path, syntax.Reason}
	}
	return value, err
}

// parser reads any value.
var parser = strictjson.Codec{Read: readers{
	reflect.TypeFor[abi.Value](): func(d *strictjson.Decoder, v reflect.Value) error {
		value, err := readValue(d, 0)
		v.Set(reflect.ValueOf(value))
		return err
	},
}}

func readStruct(d *strictjson.Decoder) (abi.Struct, error) {
	value, err := readValue(d, 0)
	if err == nil && value.Kind != abi.KindStruct {
		err = &ValueError{d.Path(), "want a JSON object, not " + value.Kind.String()}
	}
	return value.Struct, err
}

func readValue(d *strictjson.Decoder, depth int) (abi.Value, error) {
	token, err := d.Token()
	if err != nil {
		return abi.Value{}, err
	}
	switch token := token.(type) {
	case string:
		return abi.StringValue(token), nil
	case json.Number:
		return fromLiteral(d.Path(), token.String())
	case bool:
		return abi.BoolValue(token), nil
	case json.Delim:
		switch {
		case depth >= abi.MaxValueDepth:
			return abi.Value{}, tooDeep(d.Path())
		case token == '{':
			return readObject(d, depth)
		}
		return readArray(d, depth)
	default:
		return abi.Value{}, nil
	}
}

func readObject(d *strictjson.Decoder, depth int) (abi.Value, error) {
	fields := abi.Struct{}
	err := d.Members(func(key string) error {
		value, err := readValue(d, depth+1)
		fields = append(fields, abi.Field{Key: key, Value: value})
		return err
	})
	if err != nil {
		return abi.Value{}, err
	}
	slices.SortFunc(fields, func(a, b abi.Field) int { return strings.Compare(a.Key, b.Key) })
	return abi.StructValue(fields), nil
}

func readArray(d *strictjson.Decoder, depth int) (abi.Value, error) {
	items := []abi.Value{}
	err := d.Items(func(int) error {
		value, err := readValue(d, depth+1)
		items = append(items, value)
		return err
	})
	if err != nil {
		return abi.Value{}, err
	}
	return abi.ListValue(items...), nil
}

// FormatStruct formats an object as JSON on one line, with its members in their order.
func FormatStruct(s abi.Struct) ([]byte, error) { return FormatValue(abi.StructValue(s)) }

// FormatValue is [FormatStruct] for any value. NaN and infinities are errors, since JSON does not have them.
func FormatValue(v abi.Value) ([]byte, error) { return codec.Marshal(v) }

// writeValue writes a configuration value inside a message.
func writeValue(e *strictjson.Encoder, path string, v abi.Value) error {
	switch v.Kind {
	case abi.KindNumber:
		if _, err := fromFloat(path, v.Number); err != nil {
			return err
		}
		return e.Float(v.Number)
	case abi.KindString:
		return e.Text(v.String)
	case abi.KindBool:
		e.Raw(strconv.FormatBool(v.Bool))
	case abi.KindStruct:
		return writeStruct(e, path, v.Struct)
	case abi.KindList:
		return e.List(len(v.List), func(i int) error { return writeValue(e, index(path, i), v.List[i]) })
	default:
		e.Raw("null")
	}
	return nil
}

func writeStruct(e *strictjson.Encoder, path string, s abi.Struct) error {
	e.Raw("{")
	for i := range s {
		if err := e.Member(s[i].Key, i == 0); err != nil {
			return err
		}
		if err := writeValue(e, join(path, s[i].Key), s[i].Value); err != nil {
			return err
		}
	}
	e.Raw("}")
	return nil
}
