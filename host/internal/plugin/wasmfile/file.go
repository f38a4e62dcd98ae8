package wasmfile

import (
	"fmt"
	"strings"

	"github.com/tetratelabs/wazero/api"
)

// PageBytes is the size of a page of linear memory.
const PageBytes = 64 << 10

// The ids of the sections.
const (
	sectionCustom    = 0
	sectionType      = 1
	sectionImport    = 2
	sectionFunction  = 3
	sectionTable     = 4
	sectionMemory    = 5
	sectionGlobal    = 6
	sectionExport    = 7
	sectionStart     = 8
	sectionElement   = 9
	sectionCode      = 10
	sectionData      = 11
	sectionDataCount = 12
	sectionTag       = 13
)

var sectionNames = []string{"custom", "type", "import", "function", "table", "memory", "global", "export", "start",
	"element", "code", "data", "data count", "tag"}

// sectionOrder is the position of each section id. The specification requires this order, and each section at most
// once.
var sectionOrder = [...]int{sectionType: 1, sectionImport: 2, sectionFunction: 3, sectionTable: 4, sectionMemory: 5,
	sectionTag: 6, sectionGlobal: 7, sectionExport: 8, sectionStart: 9, sectionElement: 10, sectionDataCount: 11,
	sectionCode: 12, sectionData: 13}

// File is the content of a binary, except that the code of its functions stays encoded. Its byte slices point into the
// binary.
type File struct {
	Sections []Section
	Types    []FuncType
	Imports  []Import
	Exports  []Export
	Memories []Limits // declared, not imported
	Tables   []Table  // declared, not imported

	spaces            spaces   // imported and declared; for data segments the number in the data count section
	functions         []uint32 // the type of each function: imported ones first, then declared ones
	importedFunctions int
	importedGlobals   []globalType
	globals           []global // declared
	start             *uint32
	elements          []element
	dataCounted       bool
	data              []data
	bodies            []body // of the declared functions
}

// LongestList returns the length of the longest list of the file, and what it lists.
func (f *File) LongestList() (what string, length int) {
	for name, n := range map[string]int{
		"sections": len(f.Sections), "types": len(f.Types), "imports": len(f.Imports), "exports": len(f.Exports),
		"tables": len(f.Tables), "functions": len(f.functions), "globals": len(f.globals),
		"element segments": len(f.elements), "data segments": len(f.data),
	} {
		if n > length {
			what, length = name, n
		}
	}
	return what, length
}

// Section is one section of the binary.
type Section struct {
	ID     byte
	Name   string // its name in the specification; for a custom section its own name
	Offset int    // of the content, in bytes from the start of the file
	Data   []byte // the content; for a custom section without its name
}

// Kind says what an import or export is.
type Kind byte

// The kinds of imports and exports.
const (
	KindFunc Kind = iota
	KindTable
	KindMemory
	KindGlobal
)

// String names the kind for people.
func (k Kind) String() string {
	names := [...]string{"function", "table", "memory", "global"}
	if int(k) < len(names) {
		return names[k]
	}
	return fmt.Sprintf("kind %d", byte(k))
}

// FuncType is the signature of a function.
type FuncType struct{ Params, Results []ValueType }

// ValueType is the type of a parameter or result.
type ValueType = api.ValueType

// The number types. Exports and imports of plugins use no others.
const (
	I32 = api.ValueTypeI32
	I64 = api.ValueTypeI64
	F32 = api.ValueTypeF32
	F64 = api.ValueTypeF64
)

// The other types: a SIMD vector, which is refused, and references.
const (
	v128      ValueType = 0x7b
	funcref   ValueType = 0x70
	externref           = api.ValueTypeExternref
)

// typeName names a type for people.
func typeName(t ValueType) string {
	switch t {
	case v128:
		return "v128"
	case funcref:
		return "funcref"
	}
	return api.ValueTypeName(t)
}

// String writes the signature as "(i32, i32) -> i64".
func (t FuncType) String() string {
	list := func(types []ValueType) string {
		names := make([]string, len(types))
		for i, v := range types {
			names[i] = typeName(v)
		}
		return strings.Join(names, ", ")
	}
	switch len(t.Results) {
	case 0:
		return "(" + list(t.Params) + ")"
	case 1:
		return "(" + list(t.Params) + ") -> " + typeName(t.Results[0])
	}
	return "(" + list(t.Params) + ") -> (" + list(t.Results) + ")"
}

// Equal reports whether both signatures are the same.
func (t FuncType) Equal(other FuncType) bool { return t.String() == other.String() }

// Import is something that the module needs from the host.
type Import struct {
	Module, Name string
	Kind         Kind
	Type         FuncType // of a function
	typeIndex    uint32   // of a function
	table        Table
	memory       Limits
	global       globalType
}

// Export is something that the module offers.
type Export struct {
	Name  string
	Kind  Kind
	Index uint32
	Type  FuncType // of a function
}

// Limits are the bounds of a memory (in pages) or a table (in elements).
type Limits struct {
	Min    uint64
	Max    uint64
	HasMax bool
}

// Table is a declared table.
type Table struct {
	Element ValueType
	Limits
}

type globalType struct {
	value   ValueType
	mutable bool
}

// global is a declared global.
type global struct {
	globalType
	initial constant
}

// constant is a constant expression of one instruction: its kind and its immediate.
type constant struct {
	opcode byte
	imm    uint64
}

// element is an element segment.
// See https://webassembly.github.io/spec/core/binary/modules.html#element-section.
type element struct {
	flags  uint32
	table  uint32
	offset constant  // of an active one
	kind   ValueType // if the flags say that there is one
	items  []constant
}

// body is the encoded code of a function, and its offset in the file.
type body struct {
	offset int
	code   []byte
}

// data is a data segment.
// See https://webassembly.github.io/spec/core/binary/modules.html#data-section.
type data struct {
	flags  uint32
	offset constant // of an active one
	bytes  []byte
}

// Custom returns the content of the first custom section of that name, and whether there is one.
func (f *File) Custom(name string) ([]byte, bool) {
	for _, s := range f.Sections {
		if s.ID == sectionCustom && s.Name == name {
			return s.Data, true
		}
	}
	return nil, false
}

// Export returns the export of that name, and whether there is one.
func (f *File) Export(name string) (Export, bool) {
	for _, e := range f.Exports {
		if e.Name == name {
			return e, true
		}
	}
	return Export{}, false
}

// Functions returns how many functions the module itself defines.
func (f *File) Functions() int { return len(f.functions) - f.importedFunctions }

// Custom reports whether this is a custom section.
func (s Section) Custom() bool { return s.ID == sectionCustom }
