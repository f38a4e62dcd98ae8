// Package json parses JSON (RFC 8259) in a plugin: what a page script returned, and what the host says about its state.
// It needs no reflection, strconv or fmt, which would cost a module about 100 KB.
//
// A page can control the text, so parsing is bounded: for any text it ends with a value or an error, in time linear in
// the length, on a small stack, and within the default memory of a module.
package json

import (
	"github.com/hermes-cdp/hermes-cdp/abi"
	"github.com/hermes-cdp/hermes-cdp/sdk/internal/guest"
)

// The bounds of a text.
const (
	// MaxBytes is how long a text may be: as long as the largest event by default.
	MaxBytes = abi.DefaultEventBytes
	// MaxDepth is how deep objects and arrays may nest. A single value has depth 0.
	MaxDepth = abi.MaxValueDepth
	// MaxValues is how many values it may have, containers included: values take more memory than their text.
	MaxValues = 1 << 13
)

// Error says where a text is not JSON, or exceeds a bound.
type Error struct {
	Offset int // in bytes
	Reason string
}

// Error names the offset and the reason.
func (e *Error) Error() string {
	return "json: at byte " + guest.Decimal(int64(e.Offset)) + ": " + e.Reason
}

// Parse parses one value, with whitespace around it. Like encoding/json it reads half of a surrogate pair as U+FFFD,
// rounds numbers to the nearest float64, and lets the last of equal keys count. An object keeps its members in the
// order of the text, equal keys included, as Struct.Get expects. The value does not point into text. The error is an
// [*Error].
func Parse(text string) (abi.Value, error) {
	r := reader{text: text}
	if len(text) > MaxBytes {
		r.fail(MaxBytes, "the text is longer than "+guest.Decimal(MaxBytes)+" bytes")
		return abi.Value{}, r.err
	}
	r.measure()
	var v abi.Value
	r.space()
	r.value(&v)
	if r.space(); r.err == nil && r.pos < len(text) {
		r.fail(r.pos, "there is more after the value")
	}
	if r.err != nil {
		return abi.Value{}, r.err
	}
	return v, nil
}

// reader is at a position of a text. After an error it reads no further.
type reader struct {
	text string
	pos  int
	slow int // how many numbers were slow
	err  *Error
	room
}

func (r *reader) fail(offset int, reason string) {
	if r.err == nil {
		r.err = &Error{offset, reason}
	}
}

// peek returns the next byte, or 0 at the end: no value begins with it.
func (r *reader) peek() byte {
	if r.err != nil || r.pos >= len(r.text) {
		return 0
	}
	return r.text[r.pos]
}

// take skips a byte if it is the next one.
func (r *reader) take(b byte) bool {
	if r.peek() != b {
		return false
	}
	r.pos++
	return true
}

func (r *reader) space() {
	for {
		switch r.peek() {
		case ' ', '\t', '\n', '\r':
			r.pos++
		default:
			return
		}
	}
}

func (r *reader) value(v *abi.Value) {
	switch b := r.peek(); {
	case b == '{':
		r.object(v)
	case b == '[':
		r.array(v)
	case b == '"':
		v.Kind, v.String = abi.KindString, r.string()
	case b == '-' || b >= '0' && b <= '9':
		v.Kind, v.Number = abi.KindNumber, r.number()
	case b == 't':
		v.Kind, v.Bool = abi.KindBool, true
		r.word("true")
	case b == 'f':
		v.Kind = abi.KindBool
		r.word("false")
	case b == 'n':
		r.word("null")
	default:
		r.fail(r.pos, "want a value")
	}
}

func (r *reader) word(word string) {
	if len(r.text)-r.pos < len(word) || r.text[r.pos:r.pos+len(word)] != word {
		r.fail(r.pos, "want "+word)
		return
	}
	r.pos += len(word)
}

func (r *reader) array(v *abi.Value) {
	r.pos++
	v.Kind = abi.KindList
	n := r.length()
	r.space()
	if r.take(']') {
		return
	}
	list := make([]abi.Value, 0, n)
	for r.err == nil {
		list = append(list, abi.Value{})
		r.space()
		r.value(&list[len(list)-1])
		r.space()
		if r.take(']') {
			break
		}
		if !r.take(',') {
			r.fail(r.pos, "want a comma or ]")
		}
	}
	v.List = list
}

func (r *reader) object(v *abi.Value) {
	r.pos++
	v.Kind = abi.KindStruct
	n := r.length()
	r.space()
	if r.take('}') {
		return
	}
	members := make([]abi.Field, 0, n)
	for r.err == nil {
		members = append(members, abi.Field{Key: r.key()})
		r.value(&members[len(members)-1].Value)
		r.space()
		if r.take('}') {
			break
		}
		if !r.take(',') {
			r.fail(r.pos, "want a comma or }")
		}
	}
	v.Struct = members
}

// key reads a key and the colon after it.
func (r *reader) key() string {
	r.space()
	if r.peek() != '"' {
		r.fail(r.pos, "want a key in quotes")
		return ""
	}
	key := r.string()
	r.space()
	if !r.take(':') {
		r.fail(r.pos, "want a colon")
	}
	r.space()
	return key
}
