package wasmfile

import (
	"fmt"
	"strings"

	"github.com/tetratelabs/wazero/api"
)

// Features are the features that an engine needs to run metered modules: exactly the instructions and types of this
// package. SIMD and everything later than WebAssembly 2.0 is excluded.
const Features = api.CoreFeaturesV2 &^ api.CoreFeatureSIMD

// The opcodes that the metering looks for or writes.
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
	opF32Const     = 0x43
	opF64Const     = 0x44
	opI32Ne        = 0x47
	opI32LeU       = 0x4d
	opI64LtS       = 0x53
	opI32ShrU      = 0x76
	opI64Sub       = 0x7d
	opI64Shl       = 0x86
	opI64ExtendU   = 0xad
	opRefNull      = 0xd0
	opRefFunc      = 0xd2
	opPrefixMisc   = 0xfc
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

// immediate is an immediate of an instruction. Those up to spaceCount are indexes of a space.
type immediate byte

const (
	spaceFunction immediate = iota
	spaceType
	spaceTable
	spaceMemory
	spaceGlobal
	spaceLocal
	spaceData
	spaceElement
	spaceCount

	immMemory    // a zero byte; later versions have an index here
	immLabel     // how many blocks to leave; checked by the meter
	immLabels    // the labels of a br_table, the default last
	immBlockType // a signed 33-bit number: negative for a value type or noResult, else the index of a type
	immAlign     // the logarithm of an alignment
	immOffset    // of 32 bits
	immReference // a reference type
	immTypes     // a vector of one value type
	immI32
	immI64
	immF32
	immF64
)

var spaceNames = [spaceCount]string{"function", "type", "table", "memory", "global", "local", "data segment",
	"element segment"}

// opcode is the name of an instruction and its immediates. Without a name it does not exist.
type opcode struct {
	name       string
	immediates []immediate
}

// opcodes and miscOpcodes are all the instructions that this package reads and writes.
// See https://webassembly.github.io/spec/core/appendix/index-instructions.html.
var opcodes = table(
	opcodeRun{0x00, nil, "unreachable nop"},
	opcodeRun{0x02, []immediate{immBlockType}, "block loop if"},
	opcodeRun{0x05, nil, "else"},
	opcodeRun{0x0b, nil, "end"},
	opcodeRun{0x0c, []immediate{immLabel}, "br br_if"},
	opcodeRun{0x0e, []immediate{immLabels}, "br_table"},
	opcodeRun{0x0f, nil, "return"},
	opcodeRun{0x10, []immediate{spaceFunction}, "call"},
	opcodeRun{0x11, []immediate{spaceType, spaceTable}, "call_indirect"},
	opcodeRun{0x1a, nil, "drop select"},
	opcodeRun{0x1c, []immediate{immTypes}, "select"},
	opcodeRun{0x20, []immediate{spaceLocal}, "local.get local.set local.tee"},
	opcodeRun{0x23, []immediate{spaceGlobal}, "global.get global.set"},
	opcodeRun{0x25, []immediate{spaceTable}, "table.get table.set"},
	opcodeRun{0x28, []immediate{immAlign, immOffset}, "i32.load i64.load f32.load f64.load " +
		"i32.load8_s i32.load8_u i32.load16_s i32.load16_u " +
		"i64.load8_s i64.load8_u i64.load16_s i64.load16_u i64.load32_s i64.load32_u " +
		"i32.store i64.store f32.store f64.store i32.store8 i32.store16 i64.store8 i64.store16 i64.store32"},
	opcodeRun{0x3f, []immediate{immMemory}, "memory.size memory.grow"},
	opcodeRun{0x41, []immediate{immI32}, "i32.const"},
	opcodeRun{0x42, []immediate{immI64}, "i64.const"},
	opcodeRun{0x43, []immediate{immF32}, "f32.const"},
	opcodeRun{0x44, []immediate{immF64}, "f64.const"},
	opcodeRun{0x45, nil, "i32.eqz i32.eq i32.ne i32.lt_s i32.lt_u i32.gt_s i32.gt_u i32.le_s i32.le_u i32.ge_s i32.ge_u"},
	opcodeRun{0x50, nil, "i64.eqz i64.eq i64.ne i64.lt_s i64.lt_u i64.gt_s i64.gt_u i64.le_s i64.le_u i64.ge_s i64.ge_u"},
	opcodeRun{0x5b, nil, "f32.eq f32.ne f32.lt f32.gt f32.le f32.ge"},
	opcodeRun{0x61, nil, "f64.eq f64.ne f64.lt f64.gt f64.le f64.ge"},
	opcodeRun{0x67, nil, "i32.clz i32.ctz i32.popcnt i32.add i32.sub i32.mul i32.div_s i32.div_u i32.rem_s i32.rem_u " +
		"i32.and i32.or i32.xor i32.shl i32.shr_s i32.shr_u i32.rotl i32.rotr"},
	opcodeRun{0x79, nil, "i64.clz i64.ctz i64.popcnt i64.add i64.sub i64.mul i64.div_s i64.div_u i64.rem_s i64.rem_u " +
		"i64.and i64.or i64.xor i64.shl i64.shr_s i64.shr_u i64.rotl i64.rotr"},
	opcodeRun{0x8b, nil, "f32.abs f32.neg f32.ceil f32.floor f32.trunc f32.nearest f32.sqrt " +
		"f32.add f32.sub f32.mul f32.div f32.min f32.max f32.copysign"},
	opcodeRun{0x99, nil, "f64.abs f64.neg f64.ceil f64.floor f64.trunc f64.nearest f64.sqrt " +
		"f64.add f64.sub f64.mul f64.div f64.min f64.max f64.copysign"},
	opcodeRun{0xa7, nil, "i32.wrap_i64 i32.trunc_f32_s i32.trunc_f32_u i32.trunc_f64_s i32.trunc_f64_u " +
		"i64.extend_i32_s i64.extend_i32_u i64.trunc_f32_s i64.trunc_f32_u i64.trunc_f64_s i64.trunc_f64_u " +
		"f32.convert_i32_s f32.convert_i32_u f32.convert_i64_s f32.convert_i64_u f32.demote_f64 " +
		"f64.convert_i32_s f64.convert_i32_u f64.convert_i64_s f64.convert_i64_u f64.promote_f32 " +
		"i32.reinterpret_f32 i64.reinterpret_f64 f32.reinterpret_i32 f64.reinterpret_i64"},
	opcodeRun{0xc0, nil, "i32.extend8_s i32.extend16_s i64.extend8_s i64.extend16_s i64.extend32_s"},
	opcodeRun{0xd0, []immediate{immReference}, "ref.null"},
	opcodeRun{0xd1, nil, "ref.is_null"},
	opcodeRun{0xd2, []immediate{spaceFunction}, "ref.func"},
)

var miscOpcodes = table(
	opcodeRun{0, nil, "i32.trunc_sat_f32_s i32.trunc_sat_f32_u i32.trunc_sat_f64_s i32.trunc_sat_f64_u " +
		"i64.trunc_sat_f32_s i64.trunc_sat_f32_u i64.trunc_sat_f64_s i64.trunc_sat_f64_u"},
	opcodeRun{8, []immediate{spaceData, immMemory}, "memory.init"},
	opcodeRun{9, []immediate{spaceData}, "data.drop"},
	opcodeRun{10, []immediate{immMemory, immMemory}, "memory.copy"},
	opcodeRun{11, []immediate{immMemory}, "memory.fill"},
	opcodeRun{12, []immediate{spaceElement, spaceTable}, "table.init"},
	opcodeRun{13, []immediate{spaceElement}, "elem.drop"},
	opcodeRun{14, []immediate{spaceTable, spaceTable}, "table.copy"},
	opcodeRun{15, []immediate{spaceTable}, "table.grow table.size table.fill"},
)

// opcodeRun is a run of instructions with consecutive codes and the same immediates.
type opcodeRun struct {
	first      byte
	immediates []immediate
	names      string
}

func table(runs ...opcodeRun) *[256]opcode {
	var all [256]opcode
	for _, r := range runs {
		for n, name := range strings.Fields(r.names) {
			all[int(r.first)+n] = opcode{name, r.immediates}
		}
	}
	return &all
}

// foreign names the instructions of proposals that this package does not support, so that authors know what to disable.
// A name that ends with a space is that of a prefix.
var foreign = map[byte]string{
	0x06: "try", 0x07: "catch", 0x08: "throw", 0x09: "rethrow", 0x0a: "throw_ref",
	0x18: "delegate", 0x19: "catch_all", 0x1f: "try_table",
	0x12: "return_call", 0x13: "return_call_indirect", 0x14: "call_ref", 0x15: "return_call_ref",
	0xd3: "ref.eq", 0xd4: "ref.as_non_null", 0xd5: "br_on_null", 0xd6: "br_on_non_null",
	0xfb: "garbage collection ", 0xfd: "SIMD ", 0xfe: "atomic ",
}

// unknown refuses the instruction whose first byte was read at a position.
func (r *reader) unknown(op byte, at int) {
	name, known := foreign[op]
	switch {
	case !known:
		r.failAt(at, fmt.Sprintf("an instruction 0x%02x, which does not exist", op))
	case strings.HasSuffix(name, " "):
		r.unsupported(at, fmt.Sprintf("the %sinstruction 0x%02x %d", name, op, r.u32()))
	default:
		r.unsupported(at, fmt.Sprintf("the instruction %s (0x%02x)", name, op))
	}
}
