package abi

import (
	"math"
	"unicode/utf8"
)

// The encoding half of the codec. Each helper appends one field unless it has its default value, as in proto3:
// https://protobuf.dev/programming-guides/encoding/

// wireType is the low three bits of a tag.
type wireType uint8

const (
	wireVarint     wireType = 0
	wireFixed64    wireType = 1
	wireBytes      wireType = 2
	wireStartGroup wireType = 3
	wireEndGroup   wireType = 4
	wireFixed32    wireType = 5
)

func appendVarint(dst []byte, v uint64) []byte {
	for v >= 0x80 {
		dst = append(dst, byte(v)|0x80)
		v >>= 7
	}
	return append(dst, byte(v))
}

func appendTag(dst []byte, field int, wire wireType) []byte {
	return appendVarint(dst, uint64(field)<<3|uint64(wire))
}

func appendUint(dst []byte, field int, v uint64) []byte {
	if v == 0 {
		return dst
	}
	return appendVarint(appendTag(dst, field, wireVarint), v)
}

// appendInt writes an int32, int64 or enum field. Negative values take ten bytes.
func appendInt(dst []byte, field int, v int64) []byte {
	return appendUint(dst, field, uint64(v))
}

func appendBool(dst []byte, field int, v bool) []byte {
	if !v {
		return dst
	}
	return append(appendTag(dst, field, wireVarint), 1)
}

func appendBytes(dst []byte, field int, v []byte) []byte {
	if len(v) == 0 {
		return dst
	}
	dst = appendVarint(appendTag(dst, field, wireBytes), uint64(len(v)))
	return append(dst, v...)
}

func appendString(dst []byte, field int, v string) []byte {
	if v == "" {
		return dst
	}
	return appendStringAlways(dst, field, v)
}

// appendStringAlways writes a string that has presence: a map key, an optional field, a member of a oneof, or an item
// of a list.
//
// A proto3 string must be UTF-8, or a receiver rejects the whole message. Text from a page must not be able to make an
// event undeliverable, so each invalid byte becomes U+FFFD.
func appendStringAlways(dst []byte, field int, v string) []byte {
	if utf8.ValidString(v) {
		dst = appendVarint(appendTag(dst, field, wireBytes), uint64(len(v)))
		return append(dst, v...)
	}
	dst, body := beginMessage(dst, field)
	for _, r := range v {
		dst = utf8.AppendRune(dst, r)
	}
	return endMessage(dst, body)
}

func appendDoubleAlways(dst []byte, field int, v float64) []byte {
	dst = appendTag(dst, field, wireFixed64)
	bits := math.Float64bits(v)
	for range 8 {
		dst = append(dst, byte(bits))
		bits >>= 8
	}
	return dst
}

// beginMessage opens a length-delimited field, with one byte for its length; body is where its content starts.
func beginMessage(dst []byte, field int) (_ []byte, body int) {
	dst = append(appendTag(dst, field, wireBytes), 0)
	return dst, len(dst)
}

// endMessage writes the length of the field that beginMessage opened, and moves the content if it takes more than a
// byte.
func endMessage(dst []byte, body int) []byte {
	n := len(dst) - body
	if n < 0x80 {
		dst[body-1] = byte(n)
		return dst
	}
	var length [10]byte
	prefix := appendVarint(length[:0], uint64(n))
	dst = append(dst, prefix[1:]...) // makes room; the move overwrites these bytes
	copy(dst[body-1+len(prefix):], dst[body:body+n])
	copy(dst[body-1:], prefix)
	return dst
}
