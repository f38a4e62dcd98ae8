// Package strictjson reads and writes JSON (RFC 8259) by the fields of Go types, as encoding/json does, but strictly:
// keys are matched as they are written, and an unknown key, one that is there twice, text that is not UTF-8 and
// anything after the value are errors that say where. It needs nothing but the standard library, so that a plugin whose
// tests read tables needs no module but this one.
//
// The keys are those of the json tags, and omitzero and omitempty leave out a field. A field with a boolean beside it
// that is called Has and its name may be absent: the boolean says whether it is there, and has no key of its own.
package strictjson

import (
	"reflect"
	"strings"
	"sync"
)

// Codec says how some types are written and read that do not follow from their kind. The zero value has none.
type Codec struct {
	Write map[reflect.Type]func(*Encoder, reflect.Value) error
	Read  map[reflect.Type]func(*Decoder, reflect.Value) error
}

// Error says where a text is not what was to be read, or a value not what can be written.
type Error struct {
	Path   string // such as cases[2].event; empty for the whole
	Reason string
	Err    error // the cause that a codec gave, or nil
}

// Error names the path and the reason.
func (e *Error) Error() string {
	if e.Path == "" {
		return "the whole: " + e.Reason
	}
	return e.Path + ": " + e.Reason
}

// Unwrap returns the cause that a codec gave.
func (e *Error) Unwrap() error { return e.Err }

// field is a field of a struct that has a key.
type field struct {
	index int
	has   int // the index of the boolean that says whether it is there; -1: it always is
	key   string
	zero  bool // left out if it is zero
	empty bool // left out if what is written of it is {}, [], "" or null
}

// object is what is known of a type of struct.
type object struct {
	fields []field
	byKey  map[string]*field
}

var objects sync.Map // reflect.Type to *object

func objectOf(t reflect.Type) *object {
	if known, ok := objects.Load(t); ok {
		return known.(*object)
	}
	o := &object{byKey: map[string]*field{}}
	for i := range t.NumField() {
		f := t.Field(i)
		key, options, _ := strings.Cut(f.Tag.Get("json"), ",")
		if key == "" || key == "-" || !f.IsExported() {
			continue
		}
		one := field{index: i, has: -1, key: key, zero: strings.Contains(options, "omitzero"), empty: strings.Contains(options, "omitempty")}
		if has, ok := t.FieldByName("Has" + f.Name); ok && has.Type.Kind() == reflect.Bool {
			one.has = has.Index[0]
		}
		o.fields = append(o.fields, one)
	}
	for i := range o.fields {
		o.byKey[o.fields[i].key] = &o.fields[i]
	}
	known, _ := objects.LoadOrStore(t, o)
	return known.(*object)
}
