package strictjson

import (
	"bytes"
	"encoding"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"reflect"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Decoder reads one text. It knows where in it it is.
type Decoder struct {
	codec  Codec
	tokens *json.Decoder
	ahead  json.Token // read before its turn; nil: none is
	path   []string
}

// Unmarshal reads a text into what v points to; what the text does not say stays as it is. The error is an [*Error].
func (c Codec) Unmarshal(text []byte, v any) error {
	d := NewDecoder(text)
	d.codec = c
	if err := checkText(text); err != nil {
		return err
	}
	if err := d.value(reflect.ValueOf(v).Elem()); err != nil {
		return err
	}
	return d.End()
}

// Unmarshal reads a text without a codec.
func Unmarshal(text []byte, v any) error { return Codec{}.Unmarshal(text, v) }

// NewDecoder returns a decoder for a text, for who reads its tokens.
func NewDecoder(text []byte) *Decoder {
	d := &Decoder{tokens: json.NewDecoder(bytes.NewReader(text))}
	d.tokens.UseNumber()
	return d
}

// checkText finds what encoding/json replaces without a word: bytes that are not UTF-8, and halves of surrogate pairs.
func checkText(text []byte) error {
	if !utf8.Valid(text) {
		return &Error{Reason: "the text is not UTF-8"}
	}
	for rest := string(text); ; {
		at := strings.IndexByte(rest, '\\')
		if at < 0 || at+1 >= len(rest) {
			return nil
		}
		unit, isUnit := escaped(rest[at:])
		switch {
		case !isUnit:
			rest = rest[at+2:]
		case unit < 0xd800 || unit > 0xdfff:
			rest = rest[at+6:]
		default:
			low, isLow := escaped(rest[at+6:])
			if unit > 0xdbff || !isLow || low < 0xdc00 || low > 0xdfff {
				return &Error{Reason: rest[at:at+6] + " is half of a surrogate pair"}
			}
			rest = rest[at+12:]
		}
	}
}

// escaped reads an escape such as \u00e4.
func escaped(text string) (unit uint64, ok bool) {
	if len(text) < 6 || text[:2] != `\u` {
		return 0, false
	}
	unit, err := strconv.ParseUint(text[2:6], 16, 16)
	return unit, err == nil
}

// Path is where the decoder is, such as cases[2].event.
func (d *Decoder) Path() string {
	var out strings.Builder
	for _, step := range d.path {
		if out.Len() > 0 && step[0] != '[' {
			out.WriteByte('.')
		}
		out.WriteString(step)
	}
	return out.String()
}

// In reads with a step more in the path.
func (d *Decoder) In(step string, read func() error) error {
	d.path = append(d.path, step)
	defer func() { d.path = d.path[:len(d.path)-1] }()
	return read()
}

// Fail is an error at the place where the decoder is.
func (d *Decoder) Fail(format string, args ...any) error {
	err := fmt.Errorf(format, args...)
	return &Error{Path: d.Path(), Reason: err.Error(), Err: errors.Unwrap(err)}
}

// Token reads a token: a json.Delim, bool, json.Number, string or nil.
func (d *Decoder) Token() (json.Token, error) {
	if token := d.ahead; token != nil {
		d.ahead = nil
		return token, nil
	}
	token, err := d.tokens.Token()
	if errors.Is(err, io.EOF) {
		err = io.ErrUnexpectedEOF
	}
	if err != nil {
		return nil, d.Fail("%w", err)
	}
	return token, nil
}

// End finds what is after the value.
func (d *Decoder) End() error {
	if _, err := d.tokens.Token(); !errors.Is(err, io.EOF) {
		return d.Fail("more text after the value, at byte %d", d.tokens.InputOffset())
	}
	return nil
}

// Members reads an object after its brace, and calls read for each member once its key was read.
func (d *Decoder) Members(read func(key string) error) error {
	met := map[string]bool{}
	for d.tokens.More() {
		token, err := d.Token()
		if err != nil {
			return err
		}
		key, _ := token.(string) // the scanner lets nothing else pass
		step := key
		if step == "" || strings.ContainsAny(step, ".[") {
			step = strconv.Quote(key)
		}
		err = d.In(step, func() error {
			if met[key] {
				return d.Fail("duplicate key")
			}
			met[key] = true
			return read(key)
		})
		if err != nil {
			return err
		}
	}
	_, err := d.Token()
	return err
}

// Items reads a list after its bracket, and calls read for each item.
func (d *Decoder) Items(read func(i int) error) error {
	for i := 0; d.tokens.More(); i++ {
		if err := d.In("["+strconv.Itoa(i)+"]", func() error { return read(i) }); err != nil {
			return err
		}
	}
	_, err := d.Token()
	return err
}

var rawMessage = reflect.TypeFor[json.RawMessage]()

func (d *Decoder) value(v reflect.Value) error {
	if read := d.codec.Read[v.Type()]; read != nil {
		return read(d, v)
	}
	if v.Type() == rawMessage {
		return d.raw((*json.RawMessage)(v.Addr().UnsafePointer()))
	}
	switch x := v.Addr().Interface().(type) {
	case json.Unmarshaler: // before pointers, since the text of a token that was read is gone
		var text json.RawMessage
		if err := d.raw(&text); err != nil {
			return err
		}
		if err := x.UnmarshalJSON(text); err != nil {
			return d.Fail("%w", err)
		}
		return nil
	case encoding.TextUnmarshaler:
		var text string
		if err := d.kind(reflect.ValueOf(&text).Elem()); err != nil {
			return err
		}
		if err := x.UnmarshalText([]byte(text)); err != nil {
			return d.Fail("%w", err)
		}
		return nil
	}
	if v.Kind() == reflect.Pointer {
		return d.pointer(v)
	}
	return d.kind(v)
}

// first reads the first token of a value. If that is null, which is nil, it is all of it: the zero value.
func (d *Decoder) first(v reflect.Value) (json.Token, error) {
	token, err := d.Token()
	if token == nil && err == nil {
		v.SetZero()
	}
	return token, err
}

// pointer reads null, or what a pointer points to.
func (d *Decoder) pointer(v reflect.Value) error {
	token, err := d.first(v)
	if token == nil {
		return err
	}
	d.ahead = token
	v.Set(reflect.New(v.Type().Elem()))
	return d.value(v.Elem())
}

func (d *Decoder) raw(text *json.RawMessage) error {
	if d.ahead != nil {
		return d.Fail("a pointer to a text of JSON cannot be read")
	}
	if err := d.tokens.Decode(text); err != nil {
		return d.Fail("%w", err)
	}
	return nil
}

// kind reads a value by its kind.
func (d *Decoder) kind(v reflect.Value) error {
	token, err := d.first(v)
	if token == nil {
		return err
	}
	switch token := token.(type) {
	case string:
		return d.text(v, token)
	case json.Number:
		return d.number(v, token.String())
	case bool:
		if v.Kind() == reflect.Bool {
			v.SetBool(token)
			return nil
		}
		return d.wrong(v, "a boolean")
	case json.Delim:
		switch {
		case token == '{' && v.Kind() == reflect.Struct:
			return d.object(v)
		case token == '{' && v.Kind() == reflect.Map:
			return d.table(v)
		case token == '{':
			return d.wrong(v, "an object")
		case v.Kind() == reflect.Slice && v.Type().Elem().Kind() != reflect.Uint8:
			return d.list(v)
		}
	}
	return d.wrong(v, "a list")
}

// wrong says that a value is none of its kind.
func (d *Decoder) wrong(v reflect.Value, is string) error {
	want := "text"
	switch v.Kind() {
	case reflect.Struct, reflect.Map:
		want = "an object"
	case reflect.Bool:
		want = "true or false"
	case reflect.Slice:
		if want = "a list"; v.Type().Elem().Kind() == reflect.Uint8 {
			want = "bytes in base64"
		}
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64, reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Float64:
		want = "a number"
	}
	return d.Fail("want %s, not %s", want, is)
}

func (d *Decoder) text(v reflect.Value, text string) error {
	switch {
	case v.Kind() == reflect.String:
		v.SetString(text)
		return nil
	case v.Kind() == reflect.Slice && v.Type().Elem().Kind() == reflect.Uint8:
		data, err := base64.StdEncoding.DecodeString(text)
		if err != nil {
			return d.Fail("%w", err)
		}
		v.SetBytes(data)
		return nil
	}
	return d.wrong(v, fmt.Sprintf("the text %.40q", text))
}

func (d *Decoder) number(v reflect.Value, text string) error {
	switch v.Kind() {
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		n, err := strconv.ParseInt(text, 10, v.Type().Bits())
		if err != nil {
			return d.Fail("%s is not an integer of %d bits", text, v.Type().Bits())
		}
		v.SetInt(n)
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		n, err := strconv.ParseUint(text, 10, v.Type().Bits())
		if err != nil {
			return d.Fail("%s is not a non-negative integer of %d bits", text, v.Type().Bits())
		}
		v.SetUint(n)
	case reflect.Float64:
		n, err := strconv.ParseFloat(text, 64)
		if err != nil {
			return d.Fail("%s is not a number that a double can hold", text)
		}
		v.SetFloat(n)
	default:
		return d.wrong(v, "the number "+text)
	}
	return nil
}

func (d *Decoder) object(v reflect.Value) error {
	known := objectOf(v.Type()).byKey
	return d.Members(func(key string) error {
		f := known[key]
		if f == nil {
			return d.Fail("unknown key")
		}
		if f.has >= 0 {
			v.Field(f.has).SetBool(true)
		}
		return d.value(v.Field(f.index))
	})
}

func (d *Decoder) table(v reflect.Value) error {
	v.Set(reflect.MakeMap(v.Type()))
	return d.Members(func(key string) error {
		item := reflect.New(v.Type().Elem()).Elem()
		err := d.value(item)
		v.SetMapIndex(reflect.ValueOf(key).Convert(v.Type().Key()), item)
		return err
	})
}

func (d *Decoder) list(v reflect.Value) error {
	v.Set(reflect.MakeSlice(v.Type(), 0, 0))
	return d.Items(func(int) error {
		item := reflect.New(v.Type().Elem()).Elem()
		err := d.value(item)
		v.Set(reflect.Append(v, item))
		return err
	})
}
