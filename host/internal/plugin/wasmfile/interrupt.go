package wasmfile

import "encoding/binary"

// interruptPoint is an empty loop. The engine looks at loop headers, and only there, whether a call was ended; an empty
// loop costs that look and does nothing else. It needs nothing from the operand stack, so it may stand anywhere.
var interruptPoint = []byte{opLoop, 0x40, opEnd}

// smallLeaf is the size of a function's code, in bytes, up to which one that calls nothing gets no interrupt point: it
// ends within microseconds.
const smallLeaf = 128

// Interruptible returns the module with interrupt points where the engine has none, and with bounded tables.
//
// The engine's own looks, at loop headers, leave holes through which a guest could run for hours and, since compiled
// code is not preemptible, hold up every garbage collection of the host: recursion, a tree of calls that doubles at each
// level, long runs of bulk instructions, long runs of calls to the host. So a look is added at the entry of each
// function but small leaves, before each bulk instruction, and before each call of an import.
//
// Tables lie outside of the linear memory whose size is limited, and can grow at run time. A table with a higher maximum
// than tableElements, or with none, gets that one, so that table.grow fails in the guest.
//
// The result behaves like the original in all other respects. Of the custom sections only the names of functions stay:
// nothing else is of use to the engine, and debug sections hold offsets that the added code makes wrong. The error is a
// [*FormatError].
func (f *File) Interruptible(wasm []byte, tableElements uint64) ([]byte, error) {
	out := append(make([]byte, 0, len(wasm)+len(wasm)/16), header...)
	for _, s := range f.Sections {
		data := s.Data
		switch s.ID {
		case sectionTable:
			data = f.boundedTables(tableElements)
		case sectionCode:
			var err error
			if data, err = f.interruptibleCode(s); err != nil {
				return nil, err
			}
		case sectionCustom:
			if s.Name != nameSection {
				continue
			}
			data = binary.AppendUvarint(nil, uint64(len(nameSection)))
			data = append(append(data, nameSection...), names(s.Data)...)
		}
		out = append(out, s.ID)
		out = binary.AppendUvarint(out, uint64(len(data)))
		out = append(out, data...)
	}
	return out, nil
}

func (f *File) boundedTables(elements uint64) []byte {
	out := binary.AppendUvarint(nil, uint64(len(f.Tables)))
	for _, t := range f.Tables {
		bound := max(elements, t.Min)
		if t.HasMax {
			bound = min(bound, t.Max)
		}
		out = append(out, t.Element, t.flags|1)
		out = binary.AppendUvarint(out, t.Min)
		out = binary.AppendUvarint(out, bound)
	}
	return out
}

func (f *File) interruptibleCode(s Section) ([]byte, error) {
	r := &reader{data: s.Data, base: s.Offset}
	out := make([]byte, 0, len(s.Data)+len(s.Data)/16)
	n := r.count()
	out = binary.AppendUvarint(out, uint64(n))
	var body []byte
	for range n {
		code := r.sub(r.u32())
		if r.err != nil {
			return nil, r.err
		}
		body = f.interruptibleBody(body[:0], code)
		if code.err != nil {
			return nil, code.err
		}
		out = binary.AppendUvarint(out, uint64(len(body)))
		out = append(out, body...)
	}
	if !r.done() {
		r.fail("bytes left over in the code section")
	}
	if r.err != nil {
		return nil, r.err
	}
	return out, nil
}

// interruptibleBody appends one function to out. The entry's point is written first and taken back for a small leaf.
func (f *File) interruptibleBody(out []byte, r *reader) []byte {
	r.skipLocals()
	start := r.pos
	out = append(out, r.data[:start]...)
	entry := len(out)
	out = append(out, interruptPoint...)
	leaf := true
	for !r.done() {
		from := r.pos
		in := r.instruction()
		if r.err != nil {
			return out
		}
		calls := in.opcode == opCall || in.opcode == opCallIndirect
		leaf = leaf && !calls && !in.unbounded()
		if in.unbounded() || in.opcode == opCall && int64(in.callee) < int64(f.importedFunctions) {
			out = append(out, interruptPoint...)
		}
		out = append(out, r.data[from:r.pos]...)
	}
	if leaf && len(r.data)-start <= smallLeaf {
		out = append(out[:entry], r.data[start:]...)
	}
	return out
}
