package wasmfile

import "encoding/binary"

// codeSection returns the code section with charges.
func (w *rewriter) codeSection(r *reader) ([]byte, error) {
	n := r.count()
	if declared := w.file.Functions(); r.err == nil && n != declared {
		r.fail("another number of functions than the function section declares")
	}
	w.leaves = make([]uint32, n)
	bodies := make([]reader, n)
	for index := range n {
		bodies[index] = *r.sub(r.u32())
		w.leaves[index] = w.leafCost(bodies[index])
	}
	if !r.done() {
		r.fail("bytes left over in the code section")
	}
	if r.err != nil {
		return nil, r.err
	}
	out := make([]byte, 0, len(r.data)+len(r.data)/2)
	out = binary.AppendUvarint(out, uint64(n))
	for index := range n {
		body := w.function(&bodies[index], w.file.functions[w.file.importedFunctions+index])
		if err := bodies[index].err; err != nil {
			return nil, err
		}
		out = binary.AppendUvarint(out, uint64(len(body)))
		out = append(out, body...)
	}
	return out, nil
}

// leafCost returns what the callers of a function pay for it: the cost of a small leaf, and nothing for others, which pay
// for themselves.
func (w *rewriter) leafCost(r reader) uint32 {
	r.locals()
	m := &w.meter
	for m.begin(r.pos); !m.done() && m.leaf; {
		from := r.pos
		r.instruction(&w.in)
		if r.err != nil || !m.step(&w.in, w.cost(&w.in), from, r.pos) {
			return 0
		}
	}
	if !m.smallLeaf() {
		return 0
	}
	return m.charges[0].cost
}

// change is a place in the code of a function where something else is written.
type change struct {
	from, to int
	in       instruction // a call or ref.func, or a bulk or growing instruction
}

// function returns the code of one function with charges; the bytes are valid until the next call.
func (w *rewriter) function(r *reader, typeIndex uint32) []byte {
	locals := r.locals()
	begin := r.pos
	if uint64(typeIndex) >= uint64(len(w.file.Types)) {
		r.fail("a function of a type that is not there")
	}
	if r.err != nil {
		return nil
	}
	w.changes = w.changes[:0]
	scratch := uint64(0) // locals that the changes need
	m := &w.meter
	m.begin(begin)
	for !m.done() {
		from := r.pos
		r.instruction(&w.in)
		in := &w.in
		if r.err == nil && !m.step(in, w.cost(in), from, r.pos) {
			r.fail("a branch to a label that is not there")
		}
		if r.err != nil {
			return nil
		}
		switch {
		case in.opcode == opCall, in.opcode == opRefFunc, in.bulk():
			w.changes = append(w.changes, change{from, r.pos, *in})
		case in.grows():
			w.changes = append(w.changes, change{from, r.pos, *in})
		default:
			continue
		}
		if in.grows() {
			scratch = 2
		} else if in.bulk() {
			scratch = max(scratch, 1)
		}
	}
	if !r.done() {
		r.fail("code after the end of a function")
		return nil
	}
	m.end()
	first := uint32(len(w.file.Types[typeIndex].Params)) + locals
	w.code = splice{source: r.data, out: w.code.out[:0]}
	if scratch > 0 {
		w.declare(begin, scratch)
	}
	w.write(first)
	return w.code.rest()
}

// declare adds locals of type i32 to the declarations, which end at an offset.
func (w *rewriter) declare(end int, locals uint64) {
	r := reader{data: w.code.source}
	groups := r.u32()
	w.code.out = binary.AppendUvarint(w.code.out, uint64(groups)+1)
	w.code.next = r.pos
	w.code.upTo(end)
	w.code.out = binary.AppendUvarint(w.code.out, locals)
	w.code.out = append(w.code.out, byte(I32))
}

// write copies the code with its charges and changes; the first scratch local is given.
func (w *rewriter) write(scratch uint32) {
	charges := w.meter.charges
	for n := range w.changes {
		c := &w.changes[n]
		for len(charges) > 0 && charges[0].at <= c.from {
			w.charge(charges[0])
			charges = charges[1:]
		}
		w.code.upTo(c.from)
		w.change(c, scratch)
		w.code.next = c.to
	}
	for _, c := range charges {
		w.charge(c)
	}
}

func (w *rewriter) charge(c charge) {
	if c.cost == 0 {
		return
	}
	w.code.upTo(c.at)
	w.op(opGlobalGet, w.fuel())
	w.op(opI64Const)
	w.code.out = appendSigned(w.code.out, int64(c.cost)+int64(w.overhead))
	w.op(opI64Sub)
	w.op(opGlobalSet, w.fuel())
	w.check()
}

// check calls the host when the fuel is below zero.
func (w *rewriter) check() {
	w.op(opGlobalGet, w.fuel())
	w.op(opI64Const, 0)
	w.op(opI64LtS)
	w.op(opIf)
	w.code.out = append(w.code.out, noResult)
	w.op(opCall, uint32(w.file.importedFunctions))
	w.op(opEnd)
}

// noResult is the type of a block without one.
const noResult = 0x40

func (w *rewriter) change(c *change, scratch uint32) {
	switch {
	case c.in.opcode == opCall, c.in.opcode == opRefFunc:
		w.op(c.in.opcode, w.moved(c.in.index))
	case c.in.bulk():
		w.bulk(c, scratch)
	default:
		w.grow(c, scratch)
	}
}

// bulk charges a bulk instruction by its length, which is its last operand, before it runs. One that is longer than the
// memory or table traps at once, and costs nothing.
func (w *rewriter) bulk(c *change, length uint32) {
	w.op(opLocalTee, length)
	w.op(opGlobalGet, w.fuel())
	w.op(opLocalGet, length)
	w.op(opI32Const, 0)
	w.op(opLocalGet, length)
	if c.in.bulkMemory() {
		w.op(opI32Const, pageShift)
		w.op(opI32ShrU)
		w.op(opMemorySize, 0)
	} else {
		w.op(opPrefixMisc, miscTableSize, c.in.index)
	}
	w.op(opI32LeU)
	w.op(opSelect)
	w.op(opI64ExtendU)
	w.op(opI64Sub)
	w.op(opGlobalSet, w.fuel())
	w.check()
	w.code.next = c.from
	w.code.upTo(c.to)
}

// grow charges memory.grow and table.grow by the growth, after it: where it failed, nothing grew.
func (w *rewriter) grow(c *change, scratch uint32) {
	length, result := scratch, scratch+1
	w.op(opLocalTee, length)
	w.code.next = c.from
	w.code.upTo(c.to)
	w.op(opLocalTee, result)
	w.op(opGlobalGet, w.fuel())
	w.op(opLocalGet, length)
	w.op(opI32Const, 0)
	w.op(opLocalGet, result)
	w.op(opI32Const)
	w.code.out = appendSigned(w.code.out, -1)
	w.op(opI32Ne)
	w.op(opSelect)
	w.op(opI64ExtendU)
	if c.in.opcode == opMemoryGrow {
		w.op(opI64Const, pageShift)
		w.op(opI64Shl)
	}
	w.op(opI64Sub)
	w.op(opGlobalSet, w.fuel())
}

func (w *rewriter) fuel() uint32 { return uint32(w.file.globals) }

// op appends an instruction whose immediates are indexes, or constants below 64, which have the same form.
func (w *rewriter) op(opcode byte, immediates ...uint32) {
	w.code.out = append(w.code.out, opcode)
	for _, i := range immediates {
		w.code.out = binary.AppendUvarint(w.code.out, uint64(i))
	}
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
