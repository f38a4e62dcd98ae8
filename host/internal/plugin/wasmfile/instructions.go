package wasmfile

import "fmt"

// The opcodes that the metering in meter.go looks for.
const (
	opUnreachable  = 0x00
	opBlock        = 0x02
	opLoop         = 0x03
	opIf           = 0x04
	opElse         = 0x05
	opEnd          = 0x0b
	opBr           = 0x0c
	opBrIf         = 0x0d
	opBrTable      = 0x0e
	opReturn       = 0x0f
	opCall         = 0x10
	opCallIndirect = 0x11
	opSelect       = 0x1b
	opLocalGet     = 0x20
	opLocalTee     = 0x22
	opGlobalGet    = 0x23
	opGlobalSet    = 0x24
	opMemorySize   = 0x3f
	opMemoryGrow   = 0x40
	opI32Const     = 0x41
	opI64Const     = 0x42
	opI32Ne        = 0x47
	opI32LeU       = 0x4d
	opI64LtS       = 0x53
	opI32ShrU      = 0x76
	opI64Sub       = 0x7d
	opI64Shl       = 0x86
	opI64ExtendU   = 0xad
	opRefFunc      = 0xd2
	opPrefixMisc   = 0xfc
	opPrefixSIMD   = 0xfd
)

// The second opcodes of bulk instructions, after opPrefixMisc.
const (
	miscMemoryInit = 8
	miscMemoryCopy = 10
	miscMemoryFill = 11
	miscTableInit  = 12
	miscTableCopy  = 14
	miscTableGrow  = 15
	miscTableSize  = 16
	miscTableFill  = 17
)

// instruction is one decoded instruction; of the immediates only those are kept that the metering needs.
type instruction struct {
	opcode  byte
	sub     uint32   // the second opcode after a prefix
	index   uint32   // the function of opCall and opRefFunc, the label of opBr and opBrIf, the table of a bulk instruction
	targets []uint32 // the labels of opBrTable; valid until the next instruction is read
}

// instruction reads one instruction with its immediates into in.
// See https://webassembly.github.io/spec/core/binary/instructions.html.
func (r *reader) instruction(in *instruction) {
	op := r.byte()
	in.opcode = op
	switch {
	case op == opCall, op == opRefFunc, op == opBr, op == opBrIf:
		in.index = r.u32()
	case op <= 0x01, op == opElse, op == opEnd, op == opReturn, op == 0x1a, op == opSelect, op == 0xd1, op >= 0x45 && op <= 0xc4:
		// unreachable, nop, else, end, return, drop, select, ref.is_null, numeric instructions: no immediates
	case op >= opBlock && op <= opIf, // a block type
		op >= 0x20 && op <= 0x26, // local.*, global.*, table.get, table.set
		op >= 0x3f && op <= 0x42, // memory.size, memory.grow, i32.const, i64.const
		op == 0xd0:               // ref.null
		r.skipLEB()
	case op == opCallIndirect, op >= 0x28 && op <= 0x3e: // type and table; alignment and offset
		r.skipLEB()
		r.skipLEB()
	case op == opBrTable:
		in.targets = in.targets[:0]
		for range r.count() + 1 {
			in.targets = append(in.targets, r.u32())
		}
	case op == 0x1c: // select with types
		r.bytes(uint32(r.count()))
	case op == 0x43: // f32.const
		r.bytes(4)
	case op == 0x44: // f64.const
		r.bytes(8)
	case op == opPrefixMisc:
		in.sub = r.u32()
		r.miscImmediates(in)
	case op == opPrefixSIMD:
		in.sub = r.u32()
		r.simdImmediates(in.sub)
	default:
		r.fail(fmt.Sprintf("an instruction 0x%02x that this host does not support", op))
	}
}

func (r *reader) miscImmediates(in *instruction) {
	switch in.sub {
	case 0, 1, 2, 3, 4, 5, 6, 7: // saturating truncations
	case 9, 13, miscMemoryFill, miscTableGrow, miscTableSize, miscTableFill: // with data.drop and elem.drop
		in.index = r.u32()
	case miscMemoryInit, miscTableInit: // segment, then memory or table
		r.u32()
		in.index = r.u32()
	case miscMemoryCopy, miscTableCopy: // destination, then source
		in.index = r.u32()
		r.u32()
	default:
		r.fail(fmt.Sprintf("an instruction 0xfc %d that this host does not support", in.sub))
	}
}

func (r *reader) simdImmediates(sub uint32) {
	switch {
	case sub <= 11, sub == 92, sub == 93: // loads and stores
		r.skipLEB()
		r.skipLEB()
	case sub == 12, sub == 13: // v128.const, i8x16.shuffle
		r.bytes(16)
	case sub >= 21 && sub <= 34: // extract and replace a lane
		r.byte()
	case sub >= 84 && sub <= 91: // load and store a lane
		r.skipLEB()
		r.skipLEB()
		r.byte()
	case sub > 255:
		r.fail(fmt.Sprintf("an instruction 0xfd %d that this host does not support", sub))
	}
}

// bulk tells whether one execution of the instruction takes as long as its last operand says.
func (in *instruction) bulk() bool { return in.bulkMemory() || in.bulkTable() }

func (in *instruction) bulkMemory() bool {
	return in.opcode == opPrefixMisc &&
		(in.sub == miscMemoryInit || in.sub == miscMemoryCopy || in.sub == miscMemoryFill)
}

func (in *instruction) bulkTable() bool {
	return in.opcode == opPrefixMisc && (in.sub == miscTableInit || in.sub == miscTableCopy || in.sub == miscTableFill)
}

// grows tells whether the instruction grows a memory or a table.
func (in *instruction) grows() bool {
	return in.opcode == opMemoryGrow || in.opcode == opPrefixMisc && in.sub == miscTableGrow
}
