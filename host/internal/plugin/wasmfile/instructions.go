package wasmfile

import (
	"encoding/binary"
	"fmt"
)

// instruction is one decoded instruction. It is written from these fields alone, in one encoding. The bytes that it was
// read from are never copied, so the engine sees nothing that is not in here.
// See https://webassembly.github.io/spec/core/binary/instructions.html.
type instruction struct {
	opcode  byte
	sub     uint32    // the second opcode after opPrefixMisc
	imm     [2]uint64 // the immediates: an index, a signed number, or the bits of a float
	targets []uint32  // the labels of opBrTable; valid until the next instruction is read
}

// index is the first immediate if it is an index.
func (in *instruction) index() uint32 { return uint32(in.imm[0]) }

// kind returns the name of the instruction and its immediates. An instruction without a name does not exist.
func (in *instruction) kind() *opcode {
	switch {
	case in.opcode != opPrefixMisc:
		return &opcodes[in.opcode]
	case in.sub < uint32(len(miscOpcodes)):
		return &miscOpcodes[in.sub]
	}
	return &opcode{}
}

// instruction reads one instruction with its immediates into in.
func (r *reader) instruction(in *instruction) {
	at := r.pos
	in.opcode, in.sub = r.byte(), 0
	if in.opcode == opPrefixMisc {
		in.sub = r.u32()
	}
	kind := in.kind()
	switch {
	case kind.name != "":
	case in.opcode == opPrefixMisc:
		r.failAt(at, fmt.Sprintf("an instruction 0xfc %d, which does not exist", in.sub))
	default:
		r.unknown(in.opcode, at)
	}
	for n, imm := range kind.immediates {
		in.imm[n] = r.immediate(imm, in)
	}
}

func (r *reader) immediate(imm immediate, in *instruction) uint64 {
	at := r.pos
	switch imm {
	case immMemory:
		if n := r.byte(); n != 0 || r.spaces[spaceMemory] == 0 {
			r.failAt(at, fmt.Sprintf("memory %d of %d", n, r.spaces[spaceMemory]))
		}
		return 0
	case immLabel, immOffset:
		return r.unsigned(32)
	case immLabels:
		in.targets = in.targets[:0]
		for range r.count() + 1 {
			in.targets = append(in.targets, r.u32())
		}
		return 0
	case immBlockType:
		return uint64(r.blockType())
	case immAlign:
		n := r.unsigned(32)
		if n > 3 {
			r.failAt(at, fmt.Sprintf("an alignment of 2 to the power of %d", n))
		}
		return n
	case immReference:
		return uint64(r.referenceType())
	case immTypes:
		if n := r.u32(); n != 1 {
			r.failAt(at, fmt.Sprintf("a select with %d types", n))
		}
		return uint64(r.valueType())
	case immI32:
		return uint64(r.signed(32))
	case immI64:
		return uint64(r.signed(64))
	case immF32:
		return r.littleEndian(4)
	case immF64:
		return r.littleEndian(8)
	}
	return uint64(r.index(imm))
}

// noResult is the type of a block without one.
const noResult = -0x40

// blockType reads the type of a block, loop or if.
// See https://webassembly.github.io/spec/core/binary/instructions.html#binary-blocktype.
func (r *reader) blockType() int64 {
	at := r.pos
	t := r.signed(33)
	switch {
	case t >= 0:
		if types := r.spaces[spaceType]; t >= int64(types) {
			r.failAt(at, fmt.Sprintf("type %d of %d", t, types))
		}
	case r.pos != at+1: // a negative block type must be a single byte
		r.failAt(at, fmt.Sprintf("a block type %d of %d bytes", t, r.pos-at))
	case t != noResult:
		r.pos = at
		r.valueType()
	}
	return t
}

// append appends the instruction in its canonical encoding, with every number in as few bytes as possible.
func (in *instruction) append(out []byte) []byte {
	out = append(out, in.opcode)
	if in.opcode == opPrefixMisc {
		out = binary.AppendUvarint(out, uint64(in.sub))
	}
	for n, imm := range in.kind().immediates {
		out = in.appendImmediate(out, imm, in.imm[n])
	}
	return out
}

func (in *instruction) appendImmediate(out []byte, imm immediate, value uint64) []byte {
	switch imm {
	case immLabels:
		out = binary.AppendUvarint(out, uint64(len(in.targets)-1))
		for _, label := range in.targets {
			out = binary.AppendUvarint(out, uint64(label))
		}
		return out
	case immBlockType, immI32, immI64:
		return appendSigned(out, int64(value))
	case immReference:
		return append(out, byte(value))
	case immTypes:
		return append(out, 1, byte(value))
	case immF32:
		return binary.LittleEndian.AppendUint32(out, uint32(value))
	case immF64:
		return binary.LittleEndian.AppendUint64(out, value)
	}
	return binary.AppendUvarint(out, value)
}

// appendSigned appends a signed LEB128 number.
func appendSigned(out []byte, n int64) []byte {
	for {
		b := byte(n & 0x7f)
		n >>= 7
		if n == 0 && b&0x40 == 0 || n == -1 && b&0x40 != 0 {
			return append(out, b)
		}
		out = append(out, b|0x80)
	}
}

// bulk reports whether the last operand of the instruction determines how long it runs.
func (in *instruction) bulk() bool { return in.bulkMemory() || in.bulkTable() }

func (in *instruction) bulkMemory() bool {
	return in.opcode == opPrefixMisc &&
		(in.sub == miscMemoryInit || in.sub == miscMemoryCopy || in.sub == miscMemoryFill)
}

func (in *instruction) bulkTable() bool {
	return in.opcode == opPrefixMisc && (in.sub == miscTableInit || in.sub == miscTableCopy || in.sub == miscTableFill)
}

// bulkIndex is the memory or table that a bulk instruction writes to.
func (in *instruction) bulkIndex() uint64 {
	if in.sub == miscMemoryInit || in.sub == miscTableInit { // the segment comes first
		return in.imm[1]
	}
	return in.imm[0]
}

// grows reports whether the instruction grows a memory or a table.
func (in *instruction) grows() bool {
	return in.opcode == opMemoryGrow || in.opcode == opPrefixMisc && in.sub == miscTableGrow
}
