package wasmfile

import "fmt"

func (f *File) readGlobal(r *reader) global {
	return global{globalType: readGlobalType(r), initial: f.readConstant(r)}
}

// readConstant reads a constant expression. Without the extension for constant arithmetic, a valid one is a single
// instruction. It may only refer to imported globals that are immutable.
// See https://webassembly.github.io/spec/core/valid/instructions.html#constant-expressions.
func (f *File) readConstant(r *reader) constant {
	at := r.pos
	var in, end instruction
	r.instruction(&in)
	switch in.opcode {
	case opI32Const, opI64Const, opF32Const, opF64Const, opRefNull, opRefFunc:
	case opGlobalGet:
		if r.err == nil && (in.index() >= uint32(len(f.importedGlobals)) || f.importedGlobals[in.index()].mutable) {
			r.failAt(at, fmt.Sprintf("a constant expression with global %d, which is not imported or not constant", in.index()))
		}
	default:
		r.failAt(at, fmt.Sprintf("%s in a constant expression", in.kind().name))
	}
	at = r.pos
	if r.instruction(&end); end.opcode != opEnd {
		r.unsupported(at, "a constant expression of more than one instruction")
	}
	return constant{in.opcode, in.imm[0]}
}

// The flags of element segments.
const (
	elementPassive     = 1 << iota // or declarative, with elementExplicit
	elementExplicit                // has a table or a kind
	elementExpressions             // has constant expressions instead of function indexes
	elementFlags
)

// hasKind reports whether the encoding has an element kind or a reference type.
func (e *element) hasKind() bool { return e.flags&(elementPassive|elementExplicit) != 0 }

func (e *element) active() bool { return e.flags&elementPassive == 0 }

func (e *element) hasTable() bool { return e.active() && e.flags&elementExplicit != 0 }

func (e *element) expressions() bool { return e.flags&elementExpressions != 0 }

func (f *File) readElement(r *reader) element {
	at := r.pos
	e := element{flags: r.u32(), kind: funcref}
	if e.flags >= elementFlags {
		r.failAt(at, fmt.Sprintf("an element segment with flags %d", e.flags))
	}
	if e.hasTable() {
		e.table = r.index(spaceTable)
	}
	if e.active() {
		e.offset = f.readConstant(r)
	}
	switch {
	case e.hasKind() && e.expressions():
		e.kind = r.referenceType()
	case e.hasKind():
		at := r.pos
		if kind := r.byte(); kind != kindFunctions {
			r.failAt(at, fmt.Sprintf("an element segment of kind 0x%x", kind))
		}
	}
	read := f.readConstant
	if !e.expressions() {
		read = func(r *reader) constant { return constant{opRefFunc, uint64(r.index(spaceFunction))} }
	}
	e.items = vector(r, read)
	return e
}

// kindFunctions is the only kind of elements that are indexes.
const kindFunctions = 0x00

// The flags of data segments: active in memory 0, passive, or active in an explicit memory.
const (
	dataPassive = 1
	dataNamed   = 2
)

func (f *File) readData(r *reader) data {
	at := r.pos
	d := data{flags: r.u32()}
	switch d.flags {
	case dataPassive:
	case 0, dataNamed:
		if d.flags == dataNamed {
			r.index(spaceMemory) // there is only one
		}
		d.offset = f.readConstant(r)
	default:
		r.failAt(at, fmt.Sprintf("a data segment with flags %d", d.flags))
	}
	d.bytes = r.bytes(r.u32())
	return d
}
