package wasmfile

import (
	"path/filepath"
	"reflect"
	"slices"
	"testing"
)

// What is written of each section is read as what was read before, with what the metering adds.
func TestSectionsAreWrittenAsTheyWereRead(t *testing.T) {
	files := corpus(t)
	for _, path := range specification(t, "*.wasm") {
		files[filepath.Base(path)] = readFile(t, path)
	}
	compared := 0
	for name, wasm := range files {
		f, err := Parse(wasm)
		if err != nil {
			continue
		}
		out, err := f.Metered(1<<32 - 1)
		if err != nil {
			continue
		}
		compared++
		g, err := Parse(out)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		same := func(section string, before, after any) {
			a, b := reflect.ValueOf(before), reflect.ValueOf(after)
			empty := a.Kind() == reflect.Slice && a.Len() == 0 && b.Len() == 0
			if !empty && !reflect.DeepEqual(before, after) {
				t.Errorf("%s: the %s section was %v, and is %v", name, section, before, after)
			}
		}
		original := func(functions []uint32) []uint32 {
			return slices.Delete(slices.Clone(functions), f.importedFunctions, f.importedFunctions+1)
		}
		for n := range g.Exports {
			g.Exports[n].Index = restored(f, g.Exports[n].Kind == KindFunc, g.Exports[n].Index)
		}
		for n := range g.globals {
			restore(f, &g.globals[n].initial)
		}
		for n := range g.elements {
			restore(f, &g.elements[n].offset)
			for i := range g.elements[n].items {
				restore(f, &g.elements[n].items[i])
			}
		}
		for n := range g.Tables {
			g.Tables[n].HasMax, g.Tables[n].Max = f.Tables[n].HasMax, f.Tables[n].Max
		}
		same("type", append(f.Types, FuncType{Params: []ValueType{}, Results: []ValueType{}}), g.Types)
		same("import", f.Imports, slices.Delete(g.Imports, len(f.Imports), len(f.Imports)+1))
		same("function", f.functions, original(g.functions))
		same("table", f.Tables, g.Tables)
		same("memory", f.Memories, g.Memories)
		same("global", f.globals, g.globals[:len(f.globals)])
		same("export", f.Exports, g.Exports[:len(f.Exports)])
		same("element", f.elements, g.elements)
		same("data count", f.dataCounted, g.dataCounted)
		same("data", f.data, g.data)
		if f.start != nil {
			start, _ := g.Export(StartExport)
			same("start", *f.start, start.Index)
		}
	}
	if compared < 1000 {
		t.Errorf("only %d modules were compared", compared)
	}
}

// restored is the index that a function has before metering moves it.
func restored(f *File, function bool, index uint32) uint32 {
	if function && index > uint32(f.importedFunctions) {
		return index - 1
	}
	return index
}

func restore(f *File, c *constant) {
	c.imm = uint64(restored(f, c.opcode == opRefFunc, uint32(c.imm))) | c.imm&^0xffffffff
}
