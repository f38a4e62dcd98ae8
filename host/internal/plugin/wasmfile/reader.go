package wasmfile

import (
	"fmt"
	"unicode/utf8"
)

// FormatError says where a binary is not WebAssembly, or uses an extension that this host does not support.
type FormatError struct {
	Offset      int    // in bytes from the start of the file
	What        string // what was expected or found there
	Unsupported bool   // it belongs to a later version of WebAssembly, or to an extension
}

// Error says what is wrong and what to do about it.
func (e *FormatError) Error() string {
	if e.Unsupported {
		return fmt.Sprintf("WebAssembly that this host does not run: %s at byte %d; build for WebAssembly 2.0 without SIMD",
			e.What, e.Offset)
	}
	return fmt.Sprintf("not a valid WebAssembly binary: %s at byte %d; give the complete .wasm file that the build wrote",
		e.What, e.Offset)
}

// reader reads a binary. After a failure every further read returns zero values, and err keeps the first failure.
//
// It accepts no more than the specification, because the engine could parse anything else differently.
type reader struct {
	data   []byte
	pos    int
	base   int // offset of data[0] in the file
	spaces *spaces
	err    *FormatError
}

// spaces is the number of indexes in each index space.
type spaces [spaceCount]uint32

func (r *reader) fail(what string) { r.failAt(r.pos, what) }

// failAt records a failure at a position that was already read.
func (r *reader) failAt(pos int, what string) {
	if r.err == nil {
		r.err = &FormatError{Offset: r.base + pos, What: what}
	}
	r.pos = len(r.data)
}

// unsupported records that this host does not support what was read at a position.
func (r *reader) unsupported(pos int, what string) {
	if r.failAt(pos, what); r.err.What == what {
		r.err.Unsupported = true
	}
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

// unsigned reads an unsigned LEB128 number of at most the given number of bits. It may be padded with zeros, as linkers
// do, up to the length of the largest number.
// See https://webassembly.github.io/spec/core/binary/values.html#integers.
func (r *reader) unsigned(bits uint) uint64 {
	at := r.pos
	var value uint64
	for shift := uint(0); ; shift += 7 {
		b := r.byte()
		if r.err != nil {
			return 0
		}
		if left := bits - shift; left < 7 && b>>left != 0 {
			r.failAt(at, fmt.Sprintf("a number of more than %d bits", bits))
			return 0
		}
		value |= uint64(b&0x7f) << shift
		if b < 0x80 {
			return value
		}
	}
}

// signed reads a signed LEB128 number of at most the given number of bits, which may be padded with its sign.
func (r *reader) signed(bits uint) int64 {
	at := r.pos
	var value int64
	for shift := uint(0); ; shift += 7 {
		b := r.byte()
		if r.err != nil {
			return 0
		}
		digit := int64(int8(b<<1) >> 1) // the seven bits as a signed number
		if left := bits - shift; left < 7 && (b >= 0x80 || digit>>(left-1) != digit>>6) {
			r.failAt(at, fmt.Sprintf("a number of more than %d bits", bits))
			return 0
		}
		if b < 0x80 {
			return value | digit<<shift
		}
		value |= int64(b&0x7f) << shift
	}
}

func (r *reader) u32() uint32 { return uint32(r.unsigned(32)) }

// index reads an index of a space.
func (r *reader) index(space immediate) uint32 {
	at := r.pos
	n := r.u32()
	if count := r.spaces[space]; r.err == nil && n >= count {
		r.failAt(at, fmt.Sprintf("%s %d of %d", spaceNames[space], n, count))
	}
	return n
}

// littleEndian reads a number of the given number of bytes.
func (r *reader) littleEndian(bytes uint32) (value uint64) {
	for n, b := range r.bytes(bytes) {
		value |= uint64(b) << (8 * n)
	}
	return value
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

// count reads the length of a vector. Each element takes at least one byte, so a length beyond the rest of the data is
// invalid and refused before anything of that size is allocated.
func (r *reader) count() int {
	n := r.u32()
	if uint64(n) > uint64(len(r.data)-r.pos) {
		r.fail(fmt.Sprintf("a vector of %d elements in %d bytes", n, len(r.data)-r.pos))
		return 0
	}
	return int(n)
}

// vector reads a vector of elements.
func vector[T any](r *reader, read func(*reader) T) []T {
	n := r.count()
	out := make([]T, 0, min(n, 1024)) // the rest grows with the elements read
	for range n {
		if r.err != nil {
			return nil
		}
		out = append(out, read(r))
	}
	return out
}

// sub returns a reader over the next n bytes.
func (r *reader) sub(n uint32) *reader {
	base := r.base + r.pos
	return &reader{data: r.bytes(n), base: base, spaces: r.spaces}
}
