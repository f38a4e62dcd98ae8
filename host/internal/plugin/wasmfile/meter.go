package wasmfile

import (
	"encoding/binary"
	"strings"
)

// What a metered module has beyond the original. A plugin can have neither by itself: the host refuses exports with the
// prefix hermes_ that it does not know, and imports from any module but its own.
const (
	FuelExport   = "hermes_fuel"  // a mutable i64 global: the fuel that is left, in units
	RefuelModule = "hermes_meter" // the module of the import
	RefuelImport = "refuel"       // () -> (): called when the fuel is below zero
)

// Metered returns the module with code that counts its work, and with bounded tables.
//
// Compiled code is not preemptible: a guest that does not return to the host holds up every garbage collection of the
// process. So a global counts the fuel that is left. It is taken in advance at function entries, at loop headers and
// along long stretches of code, by the static cost of what follows (see charge.go), and at bulk instructions by their
// length. When it is below zero the guest calls an import, which either adds fuel or ends the call by a panic: the guest
// returns to the host at the latest every so many units.
//
// The import comes after all others, so the functions that the module itself defines move by one. The global is the last
// one. Both, with the type of the import, are all that is added outside of the code.
//
// Tables lie outside of the linear memory whose size is limited, and can grow at run time. A table with a higher maximum
// than tableElements, or with none, gets that one, so that table.grow fails in the guest.
//
// With fuel enough the result behaves like the original. Custom sections are kept, but for what holds offsets that the
// added code makes wrong. The error is a [*FormatError].
func (f *File) Metered(tableElements uint64) ([]byte, error) {
	if _, taken := f.Export(FuelExport); taken {
		return nil, &FormatError{What: "an export " + FuelExport + ", a name that the host uses"}
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
	out           []byte

	leaves []uint32 // by defined function: what its callers pay for it

	// The function in work.
	meter   meter
	in      instruction
	changes []change
	code    splice
}

// The sections that something is added to, so that a module without them gets them.
var extended = []byte{sectionType, sectionImport, sectionGlobal, sectionExport}

func (w *rewriter) module() ([]byte, error) {
	w.out = append(w.out, header...)
	missing := extended
	for _, s := range w.file.Sections {
		if s.ID != sectionCustom {
			for len(missing) > 0 && sectionOrder[missing[0]] < sectionOrder[s.ID] {
				w.extend(missing[0], []byte{0})
				missing = missing[1:]
			}
			if len(missing) > 0 && missing[0] == s.ID {
				missing = missing[1:]
			}
		}
		if err := w.section(s); err != nil {
			return nil, err
		}
	}
	for _, id := range missing {
		w.extend(id, []byte{0})
	}
	return w.out, nil
}

func (w *rewriter) section(s Section) error {
	r := &reader{data: s.Data, base: s.Offset, references: []reference{}}
	data := s.Data
	switch s.ID {
	case sectionType, sectionImport:
		w.extend(s.ID, data)
		return nil
	case sectionGlobal:
		vector(r, skipGlobal)
		w.extend(s.ID, r.moved(w.moved))
		return nil
	case sectionExport:
		for range r.count() {
			r.name()
			if Kind(r.byte()) == KindFunc {
				r.function(r.pos)
			} else {
				r.u32()
			}
		}
		w.extend(s.ID, r.moved(w.moved))
		return nil
	case sectionStart:
		r.function(0)
		data = r.moved(w.moved)
	case sectionElement:
		vector(r, skipElement)
		data = r.moved(w.moved)
	case sectionTable:
		data = w.boundedTables()
	case sectionCode:
		var err error
		if data, err = w.codeSection(r); err != nil {
			return err
		}
	case sectionCustom:
		if holdsOffsets(s.Name) {
			return nil
		}
		content := s.Data
		if s.Name == nameSection {
			content = names(content, w.moved)
		}
		data = binary.AppendUvarint(nil, uint64(len(s.Name)))
		data = append(append(data, s.Name...), content...)
	}
	w.out = appendSection(w.out, s.ID, data)
	return nil
}

// holdsOffsets tells whether a custom section of that name is about places in the code.
// See https://github.com/WebAssembly/tool-conventions/blob/main/Linking.md and Dwarf.md.
func holdsOffsets(name string) bool {
	return name == "linking" || strings.HasPrefix(name, "reloc.") || strings.HasPrefix(name, ".debug_")
}

// moved is the index of a function in the metered module.
func (w *rewriter) moved(function uint32) uint32 {
	if uint64(function) >= uint64(w.file.importedFunctions) {
		return function + 1
	}
	return function
}

// extend writes a section, which is a vector, with the one element that metering adds to it.
func (w *rewriter) extend(id byte, vector []byte) {
	r := reader{data: vector}
	data := binary.AppendUvarint(nil, uint64(r.u32())+1)
	data = append(data, vector[r.pos:]...)
	switch id {
	case sectionType:
		data = append(data, 0x60, 0, 0) // () -> ()
	case sectionImport:
		data = appendName(appendName(data, RefuelModule), RefuelImport)
		data = append(data, byte(KindFunc))
		data = binary.AppendUvarint(data, uint64(len(w.file.Types)))
	case sectionGlobal:
		data = append(data, byte(I64), 1, opI64Const, 0, opEnd)
	case sectionExport:
		data = append(appendName(data, FuelExport), byte(KindGlobal))
		data = binary.AppendUvarint(data, uint64(w.file.globals))
	}
	w.out = appendSection(w.out, id, data)
}

func (w *rewriter) boundedTables() []byte {
	out := binary.AppendUvarint(nil, uint64(len(w.file.Tables)))
	for _, t := range w.file.Tables {
		bound := max(w.tableElements, t.Min)
		if t.HasMax {
			bound = min(bound, t.Max)
		}
		out = append(out, t.Element, t.flags|1)
		out = binary.AppendUvarint(out, t.Min)
		out = binary.AppendUvarint(out, bound)
	}
	return out
}

// appendSection appends a section, or a subsection of the name section, which has the same form.
func appendSection(out []byte, id byte, data []byte) []byte {
	out = append(out, id)
	out = binary.AppendUvarint(out, uint64(len(data)))
	return append(out, data...)
}

func appendName(out []byte, name string) []byte {
	out = binary.AppendUvarint(out, uint64(len(name)))
	return append(out, name...)
}
