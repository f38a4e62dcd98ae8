package wasmfile

import "fmt"

// The opcodes that the rewriting in interrupt.go looks for.
const (
	opLoop         = 0x03
	opEnd          = 0x0b
	opCall         = 0x10
	opCallIndirect = 0x11
	opPrefixMisc   = 0xfc
	opPrefixSIMD   = 0xfd
)

// instruction is one decoded instruction; of the immediates only the callee of a call is kept.
type instruction struct {
	opcode byte
	sub    uint32 // the second opcode after a prefix
	callee uint32 // of opCall
}

// instruction reads one instruction with its immediates.
// See https://webassembly.github.io/spec/core/binary/instructions.html.
func (r *reader) instruction() instruction {
	in := instruction{opcode: r.byte()}
	op := in.opcode
	switch {
	case op == opCall:
		in.callee = r.u32()
	case op <= 0x01, op == 0x05, op == opEnd, op == 0x0f, op == 0x1a, op == 0x1b, op == 0xd1, op >= 0x45 && op <= 0xc4:
		// unreachable, nop, else, end, return, drop, select, ref.is_null, numeric instructions: no immediates
	case op >= 0x02 && op <= 0x04, // block, loop, if: a block type
		op == 0x0c, op == 0x0d, // br, br_if
		op >= 0x20 && op <= 0x26, // local.*, global.*, table.get, table.set
		op >= 0x3f && op <= 0x42, // memory.size, memory.grow, i32.const, i64.const
		op == 0xd0, op == 0xd2:   // ref.null, ref.func
		r.skipLEB()
	case op == opCallIndirect, op >= 0x28 && op <= 0x3e: // type and table; alignment and offset
		r.skipLEB()
		r.skipLEB()
	case op == 0x0e: // br_table
		for range r.count() + 1 {
			r.skipLEB()
		}
	case op == 0x1c: // select with types
		r.bytes(uint32(r.count()))
	case op == 0x43: // f32.const
		r.bytes(4)
	case op == 0x44: // f64.const
		r.bytes(8)
	case op == opPrefixMisc:
		in.sub = r.u32()
		r.miscImmediates(in.sub)
	case op == opPrefixSIMD:
		in.sub = r.u32()
		r.simdImmediates(in.sub)
	default:
		r.fail(fmt.Sprintf("an instruction 0x%02x that this host does not support", op))
	}
	return in
}

func (r *reader) miscImmediates(sub uint32) {
	switch sub {
	case 0, 1, 2, 3, 4, 5, 6, 7: // saturating truncations
	case 9, 11, 13, 15, 16, 17: // data.drop, memory.fill, elem.drop, table.grow, table.size, table.fill
		r.skipLEB()
	case 8, 10, 12, 14: // memory.init, memory.copy, table.init, table.copy
		r.skipLEB()
		r.skipLEB()
	default:
		r.fail(fmt.Sprintf("an instruction 0xfc %d that this host does not support", sub))
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

// unbounded tells whether one execution of the instruction can take long: the bulk instructions take a length.
func (in instruction) unbounded() bool {
	if in.opcode != opPrefixMisc {
		return false
	}
	switch in.sub {
	case 8, 10, 11, 12, 14, 15, 17:
		return true
	}
	return false
}
