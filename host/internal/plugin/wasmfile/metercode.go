package wasmfile

import (
	"encoding/binary"
	"fmt"
)

// Limits of a function: browsers allow as many locals, and no compiler nests blocks so deeply.
const (
	maxLocals  = 50_000
	maxNesting = 50_000
)

// localGroup declares a number of locals of one type.
type localGroup struct {
	count uint32
	value ValueType
}

// functions returns the content of the code section, with charges.
func (w *rewriter) functions() ([]byte, error) {
	bodies := w.file.bodies
	size := 0
	w.leaves = make([]uint32, len(bodies))
	for n := range bodies {
		size += len(bodies[n].code)
		w.leaves[n] = w.leafCost(w.open(n))
	}
	out := make([]byte, 0, size+size/2)
	out = binary.AppendUvarint(out, uint64(len(bodies)))
	for n := range bodies {
		r := w.open(n)
		scratch := w.function(r)
		if r.err != nil {
			return nil, r.err
		}
		out = w.appendBody(out, scratch)
	}
	return out, nil
}

// open returns a reader at the first instruction of a function, after its locals.
func (w *rewriter) open(defined int) *reader {
	f := w.file
	b := f.bodies[defined]
	inside := f.spaces
	r := &reader{data: b.code, base: b.offset, spaces: &inside}
	inside[spaceLocal] = uint32(len(f.Types[f.functions[f.importedFunctions+defined]].Params)) + w.locals(r)
	return r
}

// locals reads the declarations of a function's locals and returns how many there are.
func (w *rewriter) locals(r *reader) uint32 {
	sum := uint64(0)
	w.groups = w.groups[:0]
	for range r.count() {
		at := r.pos
		g := localGroup{r.u32(), r.valueType()}
		if sum += uint64(g.count); sum > maxLocals {
			r.failAt(at, fmt.Sprintf("a function with %d locals or more; %d are allowed", sum, maxLocals))
		}
		if r.err != nil {
			return 0
		}
		w.groups = append(w.groups, g)
	}
	return uint32(sum)
}

// leafCost returns what the callers of a function pay for it: the cost of a small leaf, and nothing for other
// functions, which pay for themselves.
func (w *rewriter) leafCost(r *reader) uint32 {
	m := &w.meter
	for m.begin(0); !m.done() && m.leaf; {
		r.instruction(&w.in)
		if r.err != nil || m.step(&w.in, w.cost(&w.in), 0, 0) != "" {
			return 0
		}
	}
	if !m.smallLeaf() {
		return 0
	}
	return m.charges[0].cost
}

// function reads a function, finds its charges and writes its instructions to w.code, without the charges. It returns
// how many more locals the function needs.
func (w *rewriter) function(r *reader) (scratch uint32) {
	w.code = w.code[:0]
	m := &w.meter
	for m.begin(0); !m.done(); {
		at, from := r.pos, len(w.code)
		r.instruction(&w.in)
		if w.hiddenStart && w.in.opcode == opRefFunc && w.in.index() == *w.file.start {
			r.failAt(at, fmt.Sprintf("a reference to function %d, which is not declared", w.in.index()))
		}
		if r.err != nil {
			return 0
		}
		scratch = max(scratch, w.write(&w.in, r.spaces[spaceLocal]))
		if wrong := m.step(&w.in, w.cost(&w.in), from, len(w.code)); wrong != "" {
			r.failAt(at, wrong)
			return 0
		}
	}
	if !r.done() {
		r.fail("code after the end of a function")
	}
	m.end()
	return scratch
}

// appendBody appends the current function, with its charges and additional locals of type i32.
func (w *rewriter) appendBody(out []byte, scratch uint32) []byte {
	if scratch > 0 {
		w.groups = append(w.groups, localGroup{scratch, I32})
	}
	body := binary.AppendUvarint(w.body[:0], uint64(len(w.groups)))
	for _, g := range w.groups {
		body = append(binary.AppendUvarint(body, uint64(g.count)), g.value)
	}
	next := 0
	for _, c := range w.meter.charges {
		body = append(body, w.code[next:c.at]...)
		body = w.charge(body, c)
		next = c.at
	}
	body = append(body, w.code[next:]...)
	w.body = body
	out = binary.AppendUvarint(out, uint64(len(body)))
	return append(out, body...)
}

func (w *rewriter) charge(out []byte, c charge) []byte {
	if c.cost == 0 {
		return out
	}
	out = op(out, opGlobalGet, w.fuel())
	out = constI64(out, int64(c.cost)+int64(w.overhead))
	out = op(out, opI64Sub)
	out = op(out, opGlobalSet, w.fuel())
	return w.check(out)
}

// check calls the host when the fuel is below zero.
func (w *rewriter) check(out []byte) []byte {
	out = op(out, opGlobalGet, w.fuel())
	out = constI64(out, 0)
	out = op(out, opI64LtS)
	empty := int64(noResult)
	out = (&instruction{opcode: opIf, imm: [2]uint64{uint64(empty)}}).append(out)
	out = op(out, opCall, w.refuel())
	return op(out, opEnd)
}

// write appends an instruction to the code, with the code that pays for it. It returns how many scratch locals that
// takes, starting at first.
func (w *rewriter) write(in *instruction, first uint32) (scratch uint32) {
	switch {
	case in.bulk():
		w.code = w.bulk(w.code, in, first)
		return 1
	case in.grows():
		w.code = w.grow(w.code, in, first)
		return 2
	case in.opcode == opCall, in.opcode == opRefFunc:
		w.code = op(w.code, in.opcode, w.moved(in.index()))
	default:
		w.code = in.append(w.code)
	}
	return 0
}

// bulk charges a bulk instruction by its length, which is its last operand, before it runs. If it is longer than the
// memory or table it traps at once and costs nothing.
func (w *rewriter) bulk(out []byte, in *instruction, length uint32) []byte {
	out = op(out, opLocalTee, length)
	out = op(out, opGlobalGet, w.fuel())
	out = op(out, opLocalGet, length)
	out = constI32(out, 0)
	out = op(out, opLocalGet, length)
	if in.bulkMemory() {
		out = constI32(out, pageShift)
		out = op(out, opI32ShrU)
		out = op(out, opMemorySize, 0)
	} else {
		out = (&instruction{opcode: opPrefixMisc, sub: miscTableSize, imm: [2]uint64{in.bulkIndex()}}).append(out)
	}
	out = op(out, opI32LeU)
	out = op(out, opSelect)
	out = op(out, opI64ExtendU)
	out = op(out, opI64Sub)
	out = op(out, opGlobalSet, w.fuel())
	out = w.check(out)
	return in.append(out)
}

// grow charges memory.grow and table.grow by the growth, afterwards, because a failure grows nothing.
func (w *rewriter) grow(out []byte, in *instruction, scratch uint32) []byte {
	length, result := scratch, scratch+1
	out = op(out, opLocalTee, length)
	out = in.append(out)
	out = op(out, opLocalTee, result)
	out = op(out, opGlobalGet, w.fuel())
	out = op(out, opLocalGet, length)
	out = constI32(out, 0)
	out = op(out, opLocalGet, result)
	out = constI32(out, -1)
	out = op(out, opI32Ne)
	out = op(out, opSelect)
	out = op(out, opI64ExtendU)
	if in.opcode == opMemoryGrow {
		out = constI64(out, pageShift)
		out = op(out, opI64Shl)
	}
	out = op(out, opI64Sub)
	return op(out, opGlobalSet, w.fuel())
}

// op appends an instruction whose immediate, if any, is an index.
func op(out []byte, opcode byte, index ...uint32) []byte {
	in := instruction{opcode: opcode}
	for _, i := range index {
		in.imm[0] = uint64(i)
	}
	return in.append(out)
}

func constI32(out []byte, n int32) []byte {
	return (&instruction{opcode: opI32Const, imm: [2]uint64{uint64(int64(n))}}).append(out)
}

func constI64(out []byte, n int64) []byte {
	return (&instruction{opcode: opI64Const, imm: [2]uint64{uint64(n)}}).append(out)
}
