package abi

import (
	"math"
	"unicode/utf8"
	"unsafe"
)

// The decoding half of the codec. It agrees with google.golang.org/protobuf with two exceptions: it rejects groups,
// which proto3 does not have, and configuration values that nest deeper than [MaxValueDepth].

// maxFieldNumber is the largest field number of the protocol buffers wire format.
const maxFieldNumber = 1<<29 - 1

// decoder reads the fields of a message one after the other. The first error sticks, and ends every loop over fields.
type decoder struct {
	src   []byte
	pos   int
	end   int // of the message being read
	field int // of the current tag
	wire  wireType
	depth int // of nested configuration values
	// alias lets strings and bytes point into src, and reuses the message's slices; see UnmarshalAlias.
	alias bool
	err   *DecodeError
}

func newDecoder(src []byte) decoder { return decoder{src: src, end: len(src)} }

func newAliasDecoder(src []byte) decoder { return decoder{src: src, end: len(src), alias: true} }

// finish clears the message if decoding failed.
func finish[T any](m *T, d *decoder) error {
	if d.err == nil {
		return nil // d.err would be a non-nil error that holds a nil pointer
	}
	var zero T
	*m = zero
	return d.err
}

func (d *decoder) fail(reason string) {
	if d.err == nil {
		d.err = &DecodeError{Field: d.field, Offset: d.pos, Reason: reason}
	}
}

// next reads a tag into field and wire; it returns false at the end of the message and after an error.
func (d *decoder) next() bool {
	if d.err != nil || d.pos >= d.end {
		return false
	}
	d.field = 0
	start := d.pos
	tag, ok := d.varint()
	if !ok {
		return false
	}
	number := tag >> 3
	if number == 0 || number > maxFieldNumber {
		d.pos = start
		d.fail("field number out of range")
		return false
	}
	d.field, d.wire = int(number), wireType(tag&7)
	return true
}

// count returns how often a field occurs from here on, up to the first error.
func (d decoder) count(field int) (n int) {
	for d.next() {
		if d.field == field {
			n++
		}
		d.skip()
	}
	return n
}

func (d *decoder) varint() (uint64, bool) {
	var v uint64
	for shift := uint(0); shift < 70; shift += 7 {
		if d.pos >= d.end {
			d.fail("truncated varint")
			return 0, false
		}
		b := d.src[d.pos]
		d.pos++
		if shift == 63 && b > 1 {
			break
		}
		v |= uint64(b&0x7f) << shift
		if b < 0x80 {
			return v, true
		}
	}
	d.fail("varint longer than 64 bits")
	return 0, false
}

// chunk returns the content of a length-delimited field as a slice of src.
func (d *decoder) chunk() ([]byte, bool) {
	n, ok := d.varint()
	if !ok {
		return nil, false
	}
	if n > uint64(d.end-d.pos) {
		d.fail("length beyond the end of the message")
		return nil, false
	}
	start := d.pos
	d.pos += int(n)
	return d.src[start:d.pos:d.pos], true
}

// skip skips a field that this version does not know, or that has an unexpected wire type.
func (d *decoder) skip() {
	switch d.wire {
	case wireVarint:
		d.varint()
	case wireBytes:
		d.chunk()
	case wireFixed64:
		d.skipFixed(8)
	case wireFixed32:
		d.skipFixed(4)
	case wireStartGroup, wireEndGroup:
		d.fail("groups are not supported")
	default:
		d.fail("unknown wire type")
	}
}

func (d *decoder) skipFixed(n int) {
	if d.end-d.pos < n {
		d.fail("truncated fixed-size value")
		return
	}
	d.pos += n
}

// expect skips the field and returns false if its wire type is not that of the schema.
func (d *decoder) expect(wire wireType) bool {
	if d.wire == wire {
		return true
	}
	d.skip()
	return false
}

func (d *decoder) uint(p *uint64) {
	if d.expect(wireVarint) {
		if v, ok := d.varint(); ok {
			*p = v
		}
	}
}

func (d *decoder) uint32(p *uint32) {
	v := uint64(*p)
	d.uint(&v)
	*p = uint32(v)
}

func (d *decoder) int(p *int64) {
	v := uint64(*p)
	d.uint(&v)
	*p = int64(v)
}

func (d *decoder) bool(p *bool) {
	if d.expect(wireVarint) {
		if v, ok := d.varint(); ok {
			*p = v != 0
		}
	}
}

// decodeEnum is a function because a method cannot have a type parameter.
func decodeEnum[E ~int32](d *decoder, p *E) {
	v := int64(*p)
	d.int(&v)
	*p = E(v)
}

// string reports whether it read a value, for fields with presence.
func (d *decoder) string(p *string) bool {
	if !d.expect(wireBytes) {
		return false
	}
	b, ok := d.chunk()
	if !ok {
		return false
	}
	if !utf8.Valid(b) {
		d.fail("invalid UTF-8")
		return false
	}
	if d.alias {
		*p = unsafe.String(unsafe.SliceData(b), len(b))
	} else {
		*p = string(b)
	}
	return true
}

func (d *decoder) bytes(p *[]byte) {
	if !d.expect(wireBytes) {
		return
	}
	b, ok := d.chunk()
	switch {
	case !ok:
	case len(b) == 0:
		*p = nil
	case d.alias:
		*p = b
	default:
		*p = append([]byte(nil), b...)
	}
}

func (d *decoder) strings(p *[]string) {
	var s string
	if d.string(&s) {
		*p = append(*p, s)
	}
}

// uint32s reads a repeated uint32 in either form: packed, or with one tag per value.
func (d *decoder) uint32s(p *[]uint32) {
	if d.wire != wireBytes {
		var v uint32
		if d.wire == wireVarint {
			d.uint32(&v)
			if d.err == nil {
				*p = append(*p, v)
			}
			return
		}
		d.skip()
		return
	}
	outer, ok := d.enter()
	if !ok {
		return
	}
	for d.err == nil && d.pos < d.end {
		if v, ok := d.varint(); ok {
			*p = append(*p, uint32(v))
		}
	}
	d.leave(outer)
}

func (d *decoder) double() (float64, bool) {
	if !d.expect(wireFixed64) {
		return 0, false
	}
	at := d.pos
	d.skipFixed(8)
	if d.err != nil {
		return 0, false
	}
	var bits uint64
	for i := 7; i >= 0; i-- {
		bits = bits<<8 | uint64(d.src[at+i])
	}
	return math.Float64frombits(bits), true
}

// enter narrows the decoder to the embedded message of the current field; leave(outer) widens it again. A message that
// occurs twice is decoded into the same struct, which merges the two as protocol buffers require.
func (d *decoder) enter() (outer int, ok bool) {
	if !d.expect(wireBytes) {
		return 0, false
	}
	body, ok := d.chunk()
	if !ok {
		return 0, false
	}
	outer = d.end
	d.end = d.pos
	d.pos -= len(body)
	return outer, true
}

func (d *decoder) leave(outer int) {
	if d.err == nil {
		d.pos = d.end
	}
	d.end = outer
}
