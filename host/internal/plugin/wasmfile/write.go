package wasmfile

import "encoding/binary"

// The sections as they are written; see https://webassembly.github.io/spec/core/binary/modules.html.

// appendVector appends a section that is a vector, unless it is empty.
func appendVector[T any](out []byte, id byte, items []T, each func([]byte, T) []byte) []byte {
	if len(items) == 0 {
		return out
	}
	content := binary.AppendUvarint(nil, uint64(len(items)))
	for _, item := range items {
		content = each(content, item)
	}
	return appendSection(out, id, content)
}

// appendSection appends a section, or a subsection of the name section, which has the same form.
func appendSection(out []byte, id byte, content []byte) []byte {
	out = append(out, id)
	out = binary.AppendUvarint(out, uint64(len(content)))
	return append(out, content...)
}

func appendName(out []byte, name string) []byte {
	out = binary.AppendUvarint(out, uint64(len(name)))
	return append(out, name...)
}

func appendIndex(out []byte, index uint32) []byte { return binary.AppendUvarint(out, uint64(index)) }

func appendFuncType(out []byte, t FuncType) []byte {
	out = append(out, 0x60)
	for _, types := range [][]ValueType{t.Params, t.Results} {
		out = binary.AppendUvarint(out, uint64(len(types)))
		out = append(out, types...)
	}
	return out
}

func appendLimits(out []byte, l Limits) []byte {
	out = append(out, boolByte(l.HasMax))
	out = binary.AppendUvarint(out, l.Min)
	if l.HasMax {
		out = binary.AppendUvarint(out, l.Max)
	}
	return out
}

func boolByte(set bool) byte {
	if set {
		return 1
	}
	return 0
}

func appendTable(out []byte, t Table) []byte {
	return appendLimits(append(out, t.Element), t.Limits)
}

func appendGlobalType(out []byte, t globalType) []byte {
	return append(out, t.value, boolByte(t.mutable))
}

func appendImport(out []byte, i Import) []byte {
	out = append(appendName(appendName(out, i.Module), i.Name), byte(i.Kind))
	switch i.Kind {
	case KindTable:
		return appendTable(out, i.table)
	case KindMemory:
		return appendLimits(out, i.memory)
	case KindGlobal:
		return appendGlobalType(out, i.global)
	}
	return appendIndex(out, i.typeIndex)
}

// appendTable appends a declared table with a bound.
func (w *rewriter) appendTable(out []byte, t Table) []byte {
	bound := max(w.tableElements, t.Min)
	if t.HasMax {
		bound = min(bound, t.Max)
	}
	t.Max, t.HasMax = bound, true
	return appendTable(out, t)
}

func (w *rewriter) appendGlobal(out []byte, g global) []byte {
	return w.appendConstant(appendGlobalType(out, g.globalType), g.initial)
}

func (w *rewriter) appendExport(out []byte, e Export) []byte {
	out = append(appendName(out, e.Name), byte(e.Kind))
	if e.Kind == KindFunc {
		return appendIndex(out, w.moved(e.Index))
	}
	return appendIndex(out, e.Index)
}

func (w *rewriter) appendConstant(out []byte, c constant) []byte {
	if c.opcode == opRefFunc {
		c.imm = uint64(w.moved(uint32(c.imm)))
	}
	in := instruction{opcode: c.opcode, imm: [2]uint64{c.imm}}
	return append(in.append(out), opEnd)
}

func (w *rewriter) appendElement(out []byte, e element) []byte {
	out = appendIndex(out, e.flags)
	if e.hasTable() {
		out = appendIndex(out, e.table)
	}
	if e.active() {
		out = w.appendConstant(out, e.offset)
	}
	switch {
	case e.hasKind() && e.expressions():
		out = append(out, e.kind)
	case e.hasKind():
		out = append(out, kindFunctions)
	}
	out = binary.AppendUvarint(out, uint64(len(e.items)))
	for _, item := range e.items {
		if e.expressions() {
			out = w.appendConstant(out, item)
		} else {
			out = appendIndex(out, w.moved(uint32(item.imm)))
		}
	}
	return out
}

func (w *rewriter) appendData(out []byte, d data) []byte {
	out = appendIndex(out, d.flags)
	if d.flags == dataNamed {
		out = appendIndex(out, 0)
	}
	if d.flags != dataPassive {
		out = w.appendConstant(out, d.offset)
	}
	out = binary.AppendUvarint(out, uint64(len(d.bytes)))
	return append(out, d.bytes...)
}
