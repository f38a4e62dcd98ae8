package strictjson

import (
	"bytes"
	"encoding"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"unicode/utf8"
)

// Encoder writes one text.
type Encoder struct {
	codec Codec
	out   []byte
}

// Marshal writes a value on one line. The keys of a map are sorted.
func (c Codec) Marshal(v any) ([]byte, error) {
	e := &Encoder{codec: c}
	err := e.value(reflect.ValueOf(v))
	return e.out, err
}

// Marshal writes a value without a codec.
func Marshal(v any) ([]byte, error) { return Codec{}.Marshal(v) }

// Raw writes a text that is JSON.
func (e *Encoder) Raw(text string) { e.out = append(e.out, text...) }

// Text writes a string.
func (e *Encoder) Text(s string) error {
	if !utf8.ValidString(s) {
		return &Error{Reason: fmt.Sprintf("%.40q is not UTF-8", s)}
	}
	const digits = "0123456789abcdef"
	e.out = append(e.out, '"')
	for _, b := range []byte(s) {
		switch {
		case b == '"' || b == '\\':
			e.out = append(e.out, '\\', b)
		case b >= ' ':
			e.out = append(e.out, b)
		case b == '\n':
			e.out = append(e.out, `\n`...)
		case b == '\r':
			e.out = append(e.out, `\r`...)
		case b == '\t':
			e.out = append(e.out, `\t`...)
		case b == '\b':
			e.out = append(e.out, `\b`...)
		case b == '\f':
			e.out = append(e.out, `\f`...)
		default:
			e.out = append(e.out, '\\', 'u', '0', '0', digits[b>>4], digits[b&15])
		}
	}
	e.out = append(e.out, '"')
	return nil
}

// Float writes a number, in the form of ECMAScript.
func (e *Encoder) Float(n float64) error {
	text, err := json.Marshal(n)
	e.out = append(e.out, text...)
	return err
}

// List writes a list.
func (e *Encoder) List(length int, item func(i int) error) error {
	e.out = append(e.out, '[')
	for i := range length {
		if i > 0 {
			e.out = append(e.out, ',')
		}
		if err := item(i); err != nil {
			return err
		}
	}
	e.out = append(e.out, ']')
	return nil
}

// Member writes the key of a member of an object; first says whether it is the first one.
func (e *Encoder) Member(key string, first bool) error {
	if !first {
		e.out = append(e.out, ',')
	}
	if err := e.Text(key); err != nil {
		return err
	}
	e.out = append(e.out, ':')
	return nil
}

func (e *Encoder) value(v reflect.Value) error {
	if !v.IsValid() {
		e.Raw("null")
		return nil
	}
	if write := e.codec.Write[v.Type()]; write != nil {
		return write(e, v)
	}
	switch x := v.Interface().(type) {
	case json.RawMessage:
		return e.raw(x)
	case json.Marshaler:
		text, err := x.MarshalJSON()
		if err != nil {
			return err
		}
		return e.raw(text)
	case encoding.TextMarshaler:
		text, err := x.MarshalText()
		if err != nil {
			return err
		}
		return e.Text(string(text))
	}
	return e.kind(v)
}

// raw writes a text that is there already, on one line.
func (e *Encoder) raw(text []byte) error {
	if text == nil {
		e.Raw("null")
		return nil
	}
	var out bytes.Buffer
	err := json.Compact(&out, text)
	e.out = append(e.out, out.Bytes()...)
	return err
}

func (e *Encoder) kind(v reflect.Value) error {
	switch v.Kind() {
	case reflect.Pointer, reflect.Interface:
		return e.value(v.Elem())
	case reflect.Struct:
		return e.object(v)
	case reflect.String:
		return e.Text(v.String())
	case reflect.Bool:
		e.out = strconv.AppendBool(e.out, v.Bool())
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		e.out = strconv.AppendInt(e.out, v.Int(), 10)
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		e.out = strconv.AppendUint(e.out, v.Uint(), 10)
	case reflect.Float64:
		return e.Float(v.Float())
	case reflect.Slice:
		if v.Type().Elem().Kind() == reflect.Uint8 {
			return e.Text(base64.StdEncoding.EncodeToString(v.Bytes()))
		}
		return e.List(v.Len(), func(i int) error { return e.value(v.Index(i)) })
	case reflect.Map:
		return e.table(v)
	default:
		return &Error{Reason: v.Type().String() + " cannot be written"}
	}
	return nil
}

func (e *Encoder) object(v reflect.Value) error {
	e.Raw("{")
	first := true
	for _, f := range objectOf(v.Type()).fields {
		value := v.Field(f.index)
		if f.zero && f.has < 0 && value.IsZero() || f.has >= 0 && !v.Field(f.has).Bool() {
			continue
		}
		before := len(e.out)
		if err := e.Member(f.key, first); err != nil {
			return err
		}
		start := len(e.out)
		if err := e.value(value); err != nil {
			return err
		}
		if written := string(e.out[start:]); f.empty && (written == "{}" || written == "[]" || written == `""` || written == "null") {
			e.out = e.out[:before]
			continue
		}
		first = false
	}
	e.Raw("}")
	return nil
}

func (e *Encoder) table(v reflect.Value) error {
	keys := map[string]reflect.Value{}
	for _, key := range v.MapKeys() {
		keys[key.String()] = v.MapIndex(key)
	}
	e.Raw("{")
	for i, key := range slices.Sorted(maps.Keys(keys)) {
		if err := e.Member(key, i == 0); err != nil {
			return err
		}
		if err := e.value(keys[key]); err != nil {
			return err
		}
	}
	e.Raw("}")
	return nil
}
