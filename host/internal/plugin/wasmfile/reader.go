package wasmfile

import (
	"encoding/binary"
	"fmt"
	"unicode/utf8"
)

// A FormatError says where a binary is not WebAssembly.
type FormatError struct {
	Offset int    // in bytes from the start of the file
	What   string // what was expected or found there
}

// Error says what is wrong, and what to do about it.
func (e *FormatError) Error() string {
	return fmt.Sprintf("not a valid WebAssembly binary: %s at byte %d", e.What, e.Offset)
}

// reader walks a binary. After a failure every further read returns zero values, and err keeps the first failure.
type reader struct {
	data []byte
	pos  int
	base int // offset of data[0] in the file
	err  *FormatError

	references []reference // to functions, as they are read; nil: they are not kept
}

// reference is where a function is named by its index.
type reference struct {
	from, to int
	index    uint32
}

func (r *reader) fail(what string) {
	if r.err == nil {
		r.err = &FormatError{Offset: r.base + r.pos, What: what}
	}
	r.pos = len(r.data)
}

func (r *reader) done() bool { return r.pos >= len(r.data) }

func (r *reader) byte() byte {
	if r.pos >= len(r.data) {
		r.fail("unexpected end")
		return 0
	}
	b := r.data[r.pos]
	r.pos++
	return b
}

// leb reads an unsigned LEB128 number of at most the given number of bits.
func (r *reader) leb(bits uint) uint64 {
	var value uint64
	for shift := uint(0); ; shift += 7 {
		b := r.byte()
		if r.err != nil {
			return 0
		}
		if shift >= bits || (bits-shift < 7 && b&0x7f>>(bits-shift) != 0) {
			r.fail(fmt.Sprintf("a number of more than %d bits", bits))
			return 0
		}
		value |= uint64(b&0x7f) << shift
		if b < 0x80 {
			return value
		}
	}
}

func (r *reader) u32() uint32 { return uint32(r.leb(32)) }

// skipLEB passes over a signed or unsigned LEB128 number of at most 64 bits; its value does not matter to the caller.
func (r *reader) skipLEB() {
	for range 10 {
		if r.byte() < 0x80 {
			return
		}
	}
	r.fail("a number of more than 64 bits")
}

// function reads the index of a function, which begins at an offset.
func (r *reader) function(from int) {
	index := r.u32()
	if r.references != nil {
		r.references = append(r.references, reference{from, r.pos, index})
	}
}

// moved returns the data with other indexes in place of the references that were read.
func (r *reader) moved(index func(uint32) uint32) []byte {
	s := splice{source: r.data, out: make([]byte, 0, len(r.data)+len(r.references))}
	for _, ref := range r.references {
		s.upTo(ref.from)
		s.out = binary.AppendUvarint(s.out, uint64(index(ref.index)))
		s.next = ref.to
	}
	return s.rest()
}

// splice copies a source with changes.
type splice struct {
	source []byte
	next   int // the first byte of the source that is neither copied nor left out
	out    []byte
}

func (s *splice) upTo(offset int) {
	s.out = append(s.out, s.source[s.next:offset]...)
	s.next = offset
}

func (s *splice) rest() []byte {
	s.upTo(len(s.source))
	return s.out
}

func (r *reader) bytes(n uint32) []byte {
	if uint64(n) > uint64(len(r.data)-r.pos) {
		r.fail(fmt.Sprintf("%d bytes announced, %d left", n, len(r.data)-r.pos))
		return nil
	}
	b := r.data[r.pos : r.pos+int(n) : r.pos+int(n)]
	r.pos += int(n)
	return b
}

func (r *reader) name() string {
	b := r.bytes(r.u32())
	if !utf8.Valid(b) {
		r.fail("a name that is not UTF-8")
		return ""
	}
	return string(b)
}

// count reads the length of a vector. Each element takes at least one byte, so a length beyond the rest of the data
// can not be honest, and is refused before anything of that size is allocated.
func (r *reader) count() int {
	n := r.u32()
	if uint64(n) > uint64(len(r.data)-r.pos) {
		r.fail(fmt.Sprintf("a vector of %d elements in %d bytes", n, len(r.data)-r.pos))
		return 0
	}
	return int(n)
}

// sub returns a reader over the next n bytes.
func (r *reader) sub(n uint32) *reader {
	base := r.base + r.pos
	return &reader{data: r.bytes(n), base: base}
}
