package wasmfile

import (
	"bytes"
	"fmt"
)

var header = []byte{0, 'a', 's', 'm', 1, 0, 0, 0}

// Parse reads the outline of a binary. The error is a [*FormatError].
func Parse(wasm []byte) (*File, error) {
	if err := checkHeader(wasm); err != nil {
		return nil, err
	}
	f := &File{}
	r := &reader{data: wasm, pos: len(header)}
	place := 0 // of the last section in the specification's order
	for !r.done() {
		id := r.byte()
		content := r.sub(r.u32())
		if r.err != nil {
			break
		}
		section := Section{ID: id, Offset: content.base, Data: content.data}
		f.parseSection(&section, content)
		if content.err == nil && id != sectionCustom {
			if sectionOrder[id] <= place {
				content.pos = 0
				content.fail(fmt.Sprintf("the %s section in the wrong place, or twice", section.Name))
			}
			place = sectionOrder[id]
			if id != sectionCode && !content.done() {
				content.fail(fmt.Sprintf("bytes left over in the %s section", section.Name))
			}
		}
		if content.err != nil {
			return nil, content.err
		}
		f.Sections = append(f.Sections, section)
	}
	if r.err != nil {
		return nil, r.err
	}
	return f, f.resolveExports()
}

func checkHeader(wasm []byte) error {
	switch {
	case bytes.HasPrefix(wasm, header):
		return nil
	case len(wasm) >= 8 && bytes.HasPrefix(wasm, header[:4]) && wasm[6] == 1:
		return &FormatError{Offset: 4, What: "a component, not a core module (build a core module for wasip1 or wasm-unknown)"}
	case bytes.HasPrefix(wasm, header[:4]):
		return &FormatError{Offset: 4, What: "a version other than 1"}
	case len(wasm) == 0:
		return &FormatError{What: "an empty file"}
	}
	return &FormatError{What: `no "\0asm" magic`}
}

func (f *File) parseSection(s *Section, r *reader) {
	if int(s.ID) < len(sectionNames) {
		s.Name = sectionNames[s.ID]
	} else {
		r.fail(fmt.Sprintf("an unknown section id %d", s.ID))
		return
	}
	switch s.ID {
	case sectionCustom:
		s.Name = r.name()
		s.Offset += r.pos
		s.Data = r.data[r.pos:]
	case sectionType:
		f.Types = vector(r, readFuncType)
	case sectionImport:
		f.Imports = vector(r, f.readImport)
	case sectionFunction:
		f.functions = append(f.functions, vector(r, (*reader).u32)...)
	case sectionTable:
		f.Tables = vector(r, readTable)
	case sectionMemory:
		f.Memories = vector(r, readLimits)
	case sectionExport:
		f.Exports = vector(r, readExport)
	case sectionGlobal:
		f.globals += len(vector(r, skipGlobal))
	case sectionElement:
		vector(r, skipElement)
	case sectionData:
		vector(r, skipData)
	case sectionTag:
		vector(r, skipTag)
	case sectionStart, sectionDataCount:
		r.u32()
	}
}

func vector[T any](r *reader, read func(*reader) T) []T {
	n := r.count()
	out := make([]T, 0, min(n, 1024)) // the rest grows with what is really read
	for range n {
		if r.err != nil {
			return nil
		}
		out = append(out, read(r))
	}
	return out
}

func readFuncType(r *reader) FuncType {
	if form := r.byte(); r.err == nil && form != 0x60 {
		r.fail(fmt.Sprintf("type form 0x%x, not a function type", form))
	}
	return FuncType{Params: vector(r, readValueType), Results: vector(r, readValueType)}
}

func readValueType(r *reader) ValueType { return ValueType(r.byte()) }

func readLimits(r *reader) Limits {
	l := Limits{flags: r.byte()}
	if l.flags > 7 {
		r.fail(fmt.Sprintf("limits with flags 0x%x", l.flags))
		return l
	}
	bits := uint(32)
	if l.flags&4 != 0 { // 64-bit index type
		bits = 64
	}
	l.Min = r.leb(bits)
	if l.HasMax = l.flags&1 != 0; l.HasMax {
		l.Max = r.leb(bits)
	}
	return l
}

func readTable(r *reader) Table {
	element := r.byte()
	if r.err == nil && element != 0x70 && element != 0x6f {
		r.fail(fmt.Sprintf("a table of element type 0x%x (funcref and externref are supported)", element))
	}
	return Table{Element: element, Limits: readLimits(r)}
}

func (f *File) readImport(r *reader) Import {
	i := Import{Module: r.name(), Name: r.name(), Kind: Kind(r.byte())}
	switch i.Kind {
	case KindFunc:
		index := r.u32()
		i.Type = f.typeAt(r, index)
		f.functions = append(f.functions, index)
		f.importedFunctions++
	case KindTable:
		readTable(r)
	case KindMemory:
		readLimits(r)
	case KindGlobal:
		r.byte()
		r.byte()
		f.globals++
	case KindTag:
		r.byte()
		r.u32()
	default:
		r.fail(fmt.Sprintf("an import of unknown kind %d", byte(i.Kind)))
	}
	return i
}

func (f *File) typeAt(r *reader, index uint32) FuncType {
	if uint64(index) >= uint64(len(f.Types)) {
		r.fail(fmt.Sprintf("type %d of %d", index, len(f.Types)))
		return FuncType{}
	}
	return f.Types[index]
}

func readExport(r *reader) Export {
	return Export{Name: r.name(), Kind: Kind(r.byte()), Index: r.u32()}
}

// resolveExports fills in the signatures; it runs last because a section may refer to a later one.
func (f *File) resolveExports() error {
	for i := range f.Exports {
		e := &f.Exports[i]
		if e.Kind != KindFunc {
			continue
		}
		if uint64(e.Index) >= uint64(len(f.functions)) {
			return &FormatError{What: fmt.Sprintf("export %q names function %d of %d", e.Name, e.Index, len(f.functions))}
		}
		index := f.functions[e.Index]
		if uint64(index) >= uint64(len(f.Types)) {
			return &FormatError{What: fmt.Sprintf("export %q has type %d of %d", e.Name, index, len(f.Types))}
		}
		e.Type = f.Types[index]
	}
	return nil
}
