package wasmfile

import (
	"bytes"
	"fmt"
)

// The engine allocates a vector of the announced length before it reads the elements: 22 bytes can make it request more
// memory than the machine has, which ends the process. So every length is compared here with the remaining bytes,
// before the engine sees the binary.

var header = []byte{0, 'a', 's', 'm', 1, 0, 0, 0}

// Parse parses a binary, except for the code of its functions. The error is a [*FormatError].
func Parse(wasm []byte) (*File, error) {
	if err := checkHeader(wasm); err != nil {
		return nil, err
	}
	f := &File{}
	r := &reader{data: wasm, pos: len(header), spaces: &f.spaces}
	place := 0 // of the last section, in the order of the specification
	for !r.done() {
		id := r.byte()
		content := r.sub(r.u32())
		if r.err != nil {
			return nil, r.err
		}
		f.section(id, content, &place)
		if content.err != nil {
			return nil, content.err
		}
	}
	if err := f.checkCounts(len(wasm)); err != nil {
		return nil, err
	}
	return f, nil
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

// section reads a section, which must come after the last one in the order.
func (f *File) section(id byte, r *reader, last *int) {
	if int(id) >= len(sectionNames) {
		r.fail(fmt.Sprintf("an unknown section id %d", id))
		return
	}
	s := Section{ID: id, Name: sectionNames[id], Offset: r.base, Data: r.data}
	if id == sectionCustom {
		s.Name = r.name()
		s.Offset += r.pos
		s.Data = r.data[r.pos:]
		f.Sections = append(f.Sections, s)
		return
	}
	if sectionOrder[id] <= *last {
		r.fail(fmt.Sprintf("the %s section in the wrong place, or twice", s.Name))
	}
	*last = sectionOrder[id]
	f.content(id, r)
	if !r.done() {
		r.fail(fmt.Sprintf("bytes left over in the %s section", s.Name))
	}
	f.Sections = append(f.Sections, s)
}

func (f *File) content(id byte, r *reader) {
	switch id {
	case sectionType:
		f.Types = vector(r, readFuncType)
		f.spaces[spaceType] = uint32(len(f.Types))
	case sectionImport:
		f.Imports = vector(r, f.readImport)
		f.spaces[spaceFunction] = uint32(len(f.functions))
		f.importedFunctions = len(f.functions)
		f.spaces[spaceGlobal] = uint32(len(f.importedGlobals))
	case sectionFunction:
		f.functions = append(f.functions, vector(r, readTypeIndex)...)
		f.spaces[spaceFunction] = uint32(len(f.functions))
	case sectionTable:
		f.Tables = vector(r, readTable)
		f.spaces[spaceTable] += uint32(len(f.Tables))
	case sectionMemory:
		f.Memories = vector(r, readMemory)
		if f.spaces[spaceMemory] += uint32(len(f.Memories)); f.spaces[spaceMemory] > 1 {
			r.unsupported(0, "more than one memory")
		}
	case sectionTag:
		r.unsupported(0, "a tag section of exceptions")
	case sectionGlobal:
		f.globals = vector(r, f.readGlobal)
		f.spaces[spaceGlobal] += uint32(len(f.globals))
	case sectionExport:
		f.Exports = vector(r, f.readExport)
	case sectionStart:
		index := r.index(spaceFunction)
		if r.err == nil && !f.Types[f.functions[index]].Equal(FuncType{}) {
			r.failAt(0, fmt.Sprintf("a start function %s, which must be ()", f.Types[f.functions[index]]))
		}
		f.start = &index
	case sectionElement:
		f.elements = vector(r, f.readElement)
		f.spaces[spaceElement] = uint32(len(f.elements))
	case sectionDataCount:
		f.dataCounted = true
		f.spaces[spaceData] = r.u32()
	case sectionCode:
		f.bodies = vector(r, readBody)
	case sectionData:
		f.data = vector(r, f.readData)
	}
}

// checkCounts compares what one section announces with the content of another; the file ends at an offset.
func (f *File) checkCounts(end int) error {
	switch {
	case len(f.bodies) != f.Functions():
		return &FormatError{Offset: end, What: fmt.Sprintf("%d functions in the code section, but %d in the function section",
			len(f.bodies), f.Functions())}
	case f.dataCounted && f.spaces[spaceData] != uint32(len(f.data)):
		return &FormatError{Offset: end, What: fmt.Sprintf("%d segments in the data section, but %d in the data count section",
			len(f.data), f.spaces[spaceData])}
	}
	return nil
}

func readFuncType(r *reader) FuncType {
	at := r.pos
	if form := r.byte(); r.err == nil && form != 0x60 {
		r.unsupported(at, fmt.Sprintf("a type of form 0x%x, not a function", form))
	}
	return FuncType{Params: vector(r, (*reader).valueType), Results: vector(r, (*reader).valueType)}
}

func (r *reader) valueType() ValueType {
	at := r.pos
	t := r.byte()
	switch t {
	case I32, I64, F32, F64, funcref, externref:
	case v128:
		r.unsupported(at, "the type v128 of SIMD")
	default:
		r.failAt(at, fmt.Sprintf("a value type 0x%x", t))
	}
	return t
}

func (r *reader) referenceType() ValueType {
	at := r.pos
	t := r.byte()
	if r.err == nil && t != funcref && t != externref {
		r.unsupported(at, fmt.Sprintf("a reference type 0x%x (funcref and externref are supported)", t))
	}
	return t
}

func readTypeIndex(r *reader) uint32 { return r.index(spaceType) }

// readLimits reads the bounds of a table or a memory, without later extensions.
func readLimits(r *reader) Limits {
	at := r.pos
	flags := r.byte()
	switch {
	case flags > 7:
		r.failAt(at, fmt.Sprintf("limits with flags 0x%x", flags))
	case flags&4 != 0:
		r.unsupported(at, "64-bit addresses")
	case flags&2 != 0:
		r.unsupported(at, "memory that is shared between threads")
	}
	l := Limits{Min: uint64(r.u32()), HasMax: flags&1 != 0}
	if l.HasMax {
		l.Max = uint64(r.u32())
	}
	return l
}

func readMemory(r *reader) Limits { return readLimits(r) }

func readTable(r *reader) Table { return Table{Element: r.referenceType(), Limits: readLimits(r)} }

func readGlobalType(r *reader) globalType {
	t := globalType{value: r.valueType()}
	at := r.pos
	mutable := r.byte()
	if mutable > 1 {
		r.failAt(at, fmt.Sprintf("a global with mutability 0x%x", mutable))
	}
	t.mutable = mutable == 1
	return t
}

func (f *File) readImport(r *reader) Import {
	i := Import{Module: r.name(), Name: r.name()}
	at := r.pos
	i.Kind = Kind(r.byte())
	switch i.Kind {
	case KindFunc:
		if i.typeIndex = r.index(spaceType); r.err == nil {
			i.Type = f.Types[i.typeIndex]
			f.functions = append(f.functions, i.typeIndex)
		}
	case KindTable:
		i.table = readTable(r)
		f.spaces[spaceTable]++
	case KindMemory:
		i.memory = readLimits(r)
		f.spaces[spaceMemory]++
	case KindGlobal:
		i.global = readGlobalType(r)
		f.importedGlobals = append(f.importedGlobals, i.global)
	default:
		r.unsupported(at, fmt.Sprintf("an import of kind %d", byte(i.Kind)))
	}
	return i
}

func (f *File) readExport(r *reader) Export {
	e := Export{Name: r.name()}
	at := r.pos
	e.Kind = Kind(r.byte())
	space, known := map[Kind]immediate{
		KindFunc: spaceFunction, KindTable: spaceTable, KindMemory: spaceMemory, KindGlobal: spaceGlobal}[e.Kind]
	if !known {
		r.unsupported(at, fmt.Sprintf("an export of kind %d", byte(e.Kind)))
		return e
	}
	if e.Index = r.index(space); r.err == nil && e.Kind == KindFunc {
		e.Type = f.Types[f.functions[e.Index]]
	}
	return e
}

func readBody(r *reader) body {
	content := r.sub(r.u32())
	return body{content.base, content.data}
}
