package wasmfile

import (
	"fmt"
	"slices"
)

// What a metered module has in addition to the original. No plugin can have any of it itself: the host refuses unknown
// exports with the prefix hermes_, and imports from any module but its own.
const (
	FuelExport   = "hermes_fuel"  // a mutable i64 global: the remaining fuel, in units
	StartExport  = "hermes_start" // the start function, if the original has one
	RefuelModule = "hermes_meter" // the module of the import
	RefuelImport = "refuel"       // () -> (): called when the fuel is below zero
)

// Metered returns the module with code that counts its work, and with bounded tables.
//
// Compiled code cannot be pre-empted: a guest that does not return to the host delays every garbage collection of the
// process. So a global counts the remaining fuel. Fuel is deducted in advance at function entries, at loop headers and
// along long stretches of code, by the static cost of what follows (see charge.go), and at bulk instructions by their
// length. When the fuel is below zero, the guest calls an import, which either adds fuel or ends the call with a panic.
// So the guest returns to the host after a bounded number of units.
//
// Only names and data are copied from the binary: every section and instruction is written again from what was parsed
// (see write.go). So the engine sees what was metered, even if it would parse the original differently.
//
// The import comes after all others, so the functions that the module defines move by one. The global is the last one.
// Both, the type of the import and two exports are all that is added outside the code. No index of the original refers
// to them.
//
// Tables lie outside the linear memory, whose size is limited, and can grow at run time. A table with a higher maximum
// than tableElements, or without one, gets that maximum, so that table.grow fails in the guest.
//
// A start function would run where the host cannot bound it, during the instantiation. It becomes an export that the
// host calls first.
//
// With enough fuel the result behaves like the original. Of the custom sections only the names of functions are kept,
// for stack traces. The error is a [*FormatError].
func (f *File) Metered(tableElements uint64) ([]byte, error) {
	for _, name := range []string{FuelExport, StartExport} {
		if _, taken := f.Export(name); taken {
			return nil, &FormatError{What: fmt.Sprintf("an export %s, which is a reserved name", name)}
		}
	}
	w := rewriter{file: f, tableElements: tableElements, overhead: costCharge,
		meter: meter{segment: maxSegment, small: costLeaf}}
	return w.module()
}

// rewriter writes a metered module.
type rewriter struct {
	file          *File
	tableElements uint64
	overhead      uint32 // added to each charge

	hiddenStart bool     // code may not refer to the start function
	leaves      []uint32 // by defined function: what its callers pay for it

	// The current function:
	meter  meter
	in     instruction
	groups []localGroup
	code   []byte // its instructions, without charges
	body   []byte // all of it, with charges
}

func (w *rewriter) module() ([]byte, error) {
	f := w.file
	w.hiddenStart = f.hiddenStart()
	code, err := w.functions()
	if err != nil {
		return nil, err
	}
	types := append(slices.Clip(f.Types), FuncType{})
	refuel := Import{Module: RefuelModule, Name: RefuelImport, typeIndex: uint32(len(f.Types))}
	imports := append(slices.Clip(f.Imports), refuel)
	globals := append(slices.Clip(f.globals), global{globalType{I64, true}, constant{opcode: opI64Const}})
	exports := append(slices.Clip(f.Exports), Export{Name: FuelExport, Kind: KindGlobal, Index: w.fuel()})
	if f.start != nil {
		exports = append(exports, Export{Name: StartExport, Kind: KindFunc, Index: *f.start})
	}

	out := slices.Clone(header)
	out = appendVector(out, sectionType, types, appendFuncType)
	out = appendVector(out, sectionImport, imports, appendImport)
	out = appendVector(out, sectionFunction, f.functions[f.importedFunctions:], appendIndex)
	out = appendVector(out, sectionTable, f.Tables, w.appendTable)
	out = appendVector(out, sectionMemory, f.Memories, appendLimits)
	out = appendVector(out, sectionGlobal, globals, w.appendGlobal)
	out = appendVector(out, sectionExport, exports, w.appendExport)
	out = appendVector(out, sectionElement, f.elements, w.appendElement)
	if f.dataCounted {
		out = appendSection(out, sectionDataCount, appendIndex(nil, uint32(len(f.data))))
	}
	if len(f.bodies) > 0 {
		out = appendSection(out, sectionCode, code)
	}
	out = appendVector(out, sectionData, f.data, w.appendData)
	if section, ok := f.Custom(nameSection); ok {
		out = appendSection(out, sectionCustom, append(appendName(nil, nameSection), names(section, w.moved)...))
	}
	return out, nil
}

// hiddenStart reports whether there is a start function that code may not refer to because nothing else does. To the
// engine, the new export does.
func (f *File) hiddenStart() bool {
	if f.start == nil {
		return false
	}
	is := func(c constant) bool { return c.opcode == opRefFunc && uint32(c.imm) == *f.start }
	declared := slices.ContainsFunc(f.Exports, func(e Export) bool { return e.Kind == KindFunc && e.Index == *f.start }) ||
		slices.ContainsFunc(f.globals, func(g global) bool { return is(g.initial) }) ||
		slices.ContainsFunc(f.elements, func(e element) bool { return slices.ContainsFunc(e.items, is) })
	return !declared
}

// moved is the index of a function in the metered module.
func (w *rewriter) moved(function uint32) uint32 {
	if uint64(function) >= uint64(w.file.importedFunctions) {
		return function + 1
	}
	return function
}

// fuel is the index of the global that metering adds.
func (w *rewriter) fuel() uint32 { return w.file.spaces[spaceGlobal] }

// refuel is the index of the import that metering adds.
func (w *rewriter) refuel() uint32 { return uint32(w.file.importedFunctions) }
