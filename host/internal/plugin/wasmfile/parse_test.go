package wasmfile

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tetratelabs/wazero"
)

func fixtures(t testing.TB) map[string][]byte {
	paths, err := filepath.Glob("../testdata/*.wasm")
	if err != nil || len(paths) == 0 {
		t.Fatalf("no fixtures: %v", err)
	}
	files := map[string][]byte{}
	for _, p := range paths {
		wasm, err := os.ReadFile(p)
		if err != nil {
			t.Fatal(err)
		}
		files[strings.TrimSuffix(filepath.Base(p), ".wasm")] = wasm
	}
	return files
}

func TestTheOutlineOfAModule(t *testing.T) {
	f, err := Parse(fixtures(t)["bad_pointers"])
	if err != nil {
		t.Fatal(err)
	}
	if len(f.Imports) != 12 || f.Imports[0].Module != "hermes_v1" || f.Imports[0].Name != "event_read" {
		t.Errorf("imports are %v", f.Imports)
	}
	if got := f.Imports[0].Type.String(); got != "(i32, i32) -> i32" {
		t.Errorf("event_read is %s", got)
	}
	hook, ok := f.Export("hermes_on_dialog")
	if !ok || hook.Kind != KindFunc || hook.Type.String() != "(i32) -> i32" {
		t.Errorf("the hook is %+v, %v", hook, ok)
	}
	if m := f.Memories; len(m) != 1 || m[0].Min != 1 || m[0].HasMax {
		t.Errorf("memories are %+v", m)
	}
	if f.Functions() != 3 {
		t.Errorf("%d functions, want 3", f.Functions())
	}
}

func TestFilesThatAreNotModulesAreRefusedWithThePlace(t *testing.T) {
	const magic = "\x00asm\x01\x00\x00\x00"
	cases := map[string]struct{ wasm, want string }{
		"an empty file":                         {"", "an empty file at byte 0"},
		"a text file":                           {"(module)", `no "\0asm" magic at byte 0`},
		"another version":                       {"\x00asm\x02\x00\x00\x00", "a version other than 1 at byte 4"},
		"a component":                           {"\x00asm\x0d\x00\x01\x00", "a component, not a core module"},
		"a section longer than the file":        {magic + "\x01\x7f", "127 bytes announced, 0 left at byte 10"},
		"a section id without meaning":          {magic + "\x63\x00", "an unknown section id 99"},
		"a vector longer than its section":      {magic + "\x01\x01\x7f", "a vector of 127 elements in 0 bytes"},
		"a number with too many bits":           {magic + "\x01\xff\xff\xff\xff\x7f", "a number of more than 32 bits at byte 9"},
		"a type that is not a function":         {magic + "\x01\x02\x01\x5f", "a type of form 0x5f, not a function at byte 11"},
		"an import of a type that is not there": {magic + "\x02\x05\x01\x00\x00\x00\x07", "type 7 of 0 at byte 14"},
		"an export of a function not there":     {magic + "\x07\x04\x01\x00\x00\x07", "function 7 of 0 at byte 13"},
		"a name that is not UTF-8":              {magic + "\x07\x04\x01\x01\xff\x00", "a name that is not UTF-8"},
		"more exports than bytes":               {magic + "\x07\x5e\xff\xff\xff_frames\x00r", "94 bytes announced"},
		"more elements than bytes":              {magic + "\x09\x0b\x01\x01\x00\xff\xff\xff\xff\x0f123", "a vector of 4294967295 elements in 3 bytes"},
		"more data than bytes":                  {magic + "\x0b\x08\x01\x01\xff\xff\xff\xff\x0f1", "4294967295 bytes announced, 1 left"},
		"more globals than bytes":               {magic + "\x06\x03\xff\x7f1", "a vector of 16383 elements in 1 bytes"},
		"a section twice":                       {magic + "\x01\x01\x00\x01\x01\x00", "the type section in the wrong place, or twice at byte 13"},
		"a section after a later one":           {magic + "\x07\x01\x00\x01\x01\x00", "the type section in the wrong place, or twice"},
		"bytes after the last type":             {magic + "\x01\x02\x00\x00", "bytes left over in the type section"},
		"a number padded to six bytes":          {magic + "\x01\x06\x80\x80\x80\x80\x80\x00", "a number of more than 32 bits at byte 10"},
		"a recursive type":                      {magic + "\x01\x02\x01\x4e", "does not run: a type of form 0x4e, not a function at byte 11"},
		"a vector type":                         {magic + "\x01\x05\x01\x60\x01\x7b\x00", "the type v128 of SIMD at byte 13"},
		"a value type that does not exist":      {magic + "\x01\x05\x01\x60\x01\x20\x00", "a value type 0x20 at byte 13"},
		"a shared memory":                       {magic + "\x05\x04\x01\x03\x00\x01", "memory that is shared between threads at byte 11"},
		"a 64-bit memory":                       {magic + "\x05\x03\x01\x04\x00", "64-bit addresses at byte 11"},
		"limits without meaning":                {magic + "\x05\x03\x01\x08\x00", "limits with flags 0x8 at byte 11"},
		"two memories":                          {magic + "\x05\x05\x02\x00\x00\x00\x00", "more than one memory"},
		"a table with an initial value":         {magic + "\x04\x07\x01\x40\x00\x70\x00\x00\x0b", "a reference type 0x40"},
		"a tag of exceptions":                   {magic + "\x0d\x03\x01\x00\x00", "a tag section of exceptions at byte 10"},
		"an import of a tag":                    {magic + "\x02\x06\x01\x00\x00\x04\x00\x00", "an import of kind 4 at byte 13"},
		"an export of a tag":                    {magic + "\x07\x04\x01\x00\x04\x00", "an export of kind 4 at byte 12"},
		"a global with a mutability of 2":       {magic + "\x06\x06\x01\x7f\x02\x41\x00\x0b", "a global with mutability 0x2 at byte 12"},
		"a constant of its own global":          {magic + "\x06\x06\x01\x7f\x00\x23\x00\x0b", "global 0 of 0 at byte 14"},
		"a constant by arithmetic": {magic + "\x06\x09\x01\x7f\x00\x41\x00\x41\x00\x6a\x0b",
			"does not run: a constant expression of more than one instruction at byte 15"},
		"a constant that is called":       {magic + "\x06\x05\x01\x7f\x00\x00\x0b", "unreachable in a constant expression at byte 13"},
		"a start of a function not there": {magic + "\x08\x01\x00", "function 0 of 0 at byte 10"},
		"a start with a parameter": {magic + "\x01\x05\x01\x60\x01\x7f\x00\x03\x02\x01\x00\x08\x01\x00",
			"a start function (i32), which must be () at byte 21"},
		"an element segment without meaning":   {magic + "\x09\x02\x01\x08", "an element segment with flags 8 at byte 11"},
		"an element segment of a strange kind": {magic + "\x09\x04\x01\x01\x01\x00", "an element segment of kind 0x1 at byte 12"},
		"a data segment without meaning":       {magic + "\x0b\x02\x01\x03", "a data segment with flags 3 at byte 11"},
		"data that was not counted":            {magic + "\x0c\x01\x01", "0 segments in the data section, but 1 in the data count section"},
		"code that is not declared": {magic + "\x0a\x04\x01\x02\x00\x0b",
			"1 functions in the code section, but 0 in the function section"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			_, err := Parse([]byte(c.wasm))
			var format *FormatError
			if !errors.As(err, &format) || !strings.Contains(err.Error(), c.want) {
				t.Errorf("error is %v, want one with %q", err, c.want)
			}
		})
	}
}

func TestTablesAreBoundedAndCustomSectionsLeftOut(t *testing.T) {
	wasm := append(bytes.Clone(fixtures(t)["table_grow"]), "\x00\x0b\x04democonten\x00\x0c\x0b.debug_line"...)
	f, err := Parse(wasm)
	if err != nil {
		t.Fatal(err)
	}
	out, err := f.Metered(100)
	if err != nil {
		t.Fatal(err)
	}
	if demo, ok := f.Custom("demo"); !ok || string(demo) != "conten" {
		t.Errorf("the custom section is %q, %v", demo, ok)
	}
	if f, err = Parse(out); err != nil {
		t.Fatal(err)
	}
	if table := f.Tables[0]; !table.HasMax || table.Max != 100 || table.Min != 1 {
		t.Errorf("table is %+v, want a maximum of 100", table)
	}
	for _, s := range f.Sections {
		if s.Custom() && s.Name != nameSection {
			t.Errorf("the section %q is still there", s.Name)
		}
	}
}

// The engine must see the same imports and exports as this package, or a module could slip past the checks, and find
// the metered module valid where the original is. It is only shown what Load would show it: on other files it may ask
// for more memory than there is.
func FuzzTheEngineSeesTheSameModule(f *testing.F) {
	for _, wasm := range fixtures(f) {
		f.Add(wasm)
	}
	ctx := context.Background()
	engine := wazero.NewRuntimeWithConfig(ctx, wazero.NewRuntimeConfigInterpreter().WithCoreFeatures(Features).WithDebugInfoEnabled(false))
	f.Cleanup(func() { _ = engine.Close(ctx) })
	f.Fuzz(func(t *testing.T, wasm []byte) {
		file, err := Parse(wasm)
		if err != nil {
			return
		}
		metered, err := file.Metered(1 << 17)
		if err != nil {
			return
		}
		original, err := engine.CompileModule(ctx, wasm)
		if err != nil {
			return
		}
		defer original.Close(ctx)
		compiled, err := engine.CompileModule(ctx, metered)
		if err != nil {
			t.Fatalf("the original is valid, the metered one is not: %v", err)
		}
		defer compiled.Close(ctx)
		for name := range original.ExportedFunctions() {
			if e, ok := file.Export(name); !ok || e.Kind != KindFunc {
				t.Errorf("export %q is not seen as a function: %+v", name, e)
			}
			if _, ok := compiled.ExportedFunctions()[name]; !ok {
				t.Errorf("export %q is gone", name)
			}
		}
		if got, want := len(original.ImportedFunctions()), file.importedFunctions; got != want {
			t.Errorf("%d imported functions, the engine sees %d", want, got)
		}
	})
}

// module returns a module of one function () -> () with that code, which begins at byte 23 if it is short.
func module(code string) string {
	const before = "\x00asm\x01\x00\x00\x00\x01\x04\x01\x60\x00\x00\x03\x02\x01\x00"
	body := append(binary.AppendUvarint([]byte{1}, uint64(len(code)+1)), "\x00"+code...)
	return string(appendSection([]byte(before), sectionCode, body))
}

// nested returns a module with blocks inside of each other.
func nested(blocks int) string {
	return module(strings.Repeat("\x02\x40", blocks) + strings.Repeat("\x0b", blocks+1))
}

func TestModulesThatCannotBeMeteredAreRefusedWithThePlace(t *testing.T) {
	cases := map[string]struct{ wasm, want string }{
		"a tail call":                  {module("\x12\x00\x0b"), "the instruction return_call (0x12) at byte 23"},
		"an exception":                 {module("\x08\x00\x0b"), "the instruction throw (0x08) at byte 23"},
		"an atomic instruction":        {module("\xfe\x03\x00\x0b"), "the atomic instruction 0xfe 3 at byte 23"},
		"a vector instruction":         {module("\x01\xfd\x0c\x0b"), "the SIMD instruction 0xfd 12 at byte 24; build for WebAssembly 2.0 without SIMD"},
		"a vector instruction, padded": {module("\xfd\x8c\x00\x0b"), "the SIMD instruction 0xfd 12 at byte 23"},
		"a relaxed vector instruction": {module("\xfd\x80\x02\x0b"), "the SIMD instruction 0xfd 256 at byte 23"},
		"an object":                    {module("\xfb\x01\x0b"), "the garbage collection instruction 0xfb 1 at byte 23"},
		"no instruction":               {module("\x17\x0b"), "an instruction 0x17, which does not exist at byte 23"},
		"no bulk instruction":          {module("\xfc\x12\x0b"), "an instruction 0xfc 18, which does not exist at byte 23"},
		"a long bulk instruction":      {module("\xfc\x8b\x80\x80\x80\x80\x00\x0b"), "a number of more than 32 bits at byte 24"},
		"a type of six bytes":          {module("\x02\xc0\xff\xff\xff\xff\x7f\x0b\x0b"), "a number of more than 33 bits at byte 24"},
		"a type of five bytes":         {module("\x02\xc0\xff\xff\xff\x7f\x0b\x0b"), "a block type -64 of 5 bytes at byte 24"},
		"a block of an unknown type":   {module("\x02\x01\x0b\x0b"), "type 1 of 1 at byte 24"},
		"a block of a negative type":   {module("\x02\x64\x0b\x0b"), "a value type 0x64 at byte 24"},
		"a constant of 33 bits":        {module("\x41\xff\xff\xff\xff\x4f\x0b"), "a number of more than 32 bits at byte 24"},
		"a constant of 65 bits":        {module("\x42\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01\x0b"), "a number of more than 64 bits at byte 24"},
		"the host's global":            {module("\x23\x00\x0b"), "global 0 of 0 at byte 24"},
		"the host's function":          {module("\x10\x01\x0b"), "function 1 of 1 at byte 24"},
		"the host's local":             {module("\x20\x00\x0b"), "local 0 of 0 at byte 24"},
		"a table that is not there":    {module("\x25\x00\x0b"), "table 0 of 0 at byte 24"},
		"a memory that is not there":   {module("\x3f\x00\x0b"), "memory 0 of 0 at byte 24"},
		"data that is not there":       {module("\xfc\x09\x00\x0b"), "data segment 0 of 0 at byte 25"},
		"elements that are not there":  {module("\xfc\x0d\x00\x0b"), "element segment 0 of 0 at byte 25"},
		"a select of two types":        {module("\x1c\x02\x7f\x7f\x0b"), "a select with 2 types at byte 24"},
		"an alignment to a page":       {module("\x28\x10\x00\x0b"), "an alignment of 2 to the power of 16 at byte 24"},
		"an else of its own":           {module("\x02\x40\x05\x0b\x0b"), "an else that belongs to no if at byte 25"},
		"a second else":                {module("\x41\x00\x04\x40\x05\x05\x0b\x0b"), "an else that belongs to no if at byte 28"},
		"blocks without end":           {nested(maxNesting), "blocks nested more than 50000 deep"},
		"a branch to nowhere":          {module("\x0c\x05\x0b"), "a branch to a label that does not exist"},
		"code after the end":           {module("\x0b\x0b"), "code after the end of a function"},
		"code without an end":          {module("\x01"), "unexpected end"},
		"the host's own export": {module("\x0b")[:18] + "\x07\x0f\x01\x0bhermes_fuel\x00\x00" + module("\x0b")[18:],
			"an export hermes_fuel, which is a reserved name"},
		"the host's own start": {module("\x0b")[:18] + "\x07\x10\x01\x0chermes_start\x00\x00" + module("\x0b")[18:],
			"an export hermes_start, which is a reserved name"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			f, err := Parse([]byte(c.wasm))
			if err != nil {
				t.Fatal(err)
			}
			_, err = f.Metered(1)
			var format *FormatError
			if !errors.As(err, &format) || !strings.Contains(err.Error(), c.want) {
				t.Errorf("error is %v, want one with %q", err, c.want)
			}
		})
	}
}

func TestAFunctionWithTooManyLocalsIsRefused(t *testing.T) {
	wasm := []byte("\x00asm\x01\x00\x00\x00\x01\x04\x01\x60\x00\x00\x03\x02\x01\x00\x0a\x0a\x01\x08\x01\xff\xff\xff\xff\x0f\x7f\x0b")
	f, err := Parse(wasm)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.Metered(1); err == nil || !strings.Contains(err.Error(), "4294967295 locals") {
		t.Errorf("error is %v", err)
	}
}

func TestOnlyTheNamesOfFunctionsAreKept(t *testing.T) {
	const function = "\x01\x04\x01\x00\x01f"
	const moved = "\x01\x04\x01\x01\x01f"
	cases := map[string]struct{ section, want string }{
		"module and function names":     {"\x00\x02\x01m" + function, "\x00\x02\x01m" + moved},
		"locals are dropped":            {function + "\x02\x01\x00", moved},
		"an index that gets longer":     {"\x01\x04\x01\x7f\x01f", "\x01\x05\x01\x80\x01\x01f"},
		"more names than bytes":         {"\x01\x05\xff\xff\xff\xff\x0f", ""},
		"a subsection past the section": {function + "\x01\x7f", moved},
		"bytes after the names":         {"\x01\x02\x00\x00", ""},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			if got := names([]byte(c.section), func(i uint32) uint32 { return i + 1 }); string(got) != c.want {
				t.Errorf("kept %q, want %q", got, c.want)
			}
		})
	}
}
