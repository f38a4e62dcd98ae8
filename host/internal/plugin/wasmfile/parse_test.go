package wasmfile

import (
	"context"
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
		"a number with too many bits":           {magic + "\x01\xff\xff\xff\xff\x7f", "a number of more than 32 bits"},
		"a type that is not a function":         {magic + "\x01\x02\x01\x5f", "type form 0x5f"},
		"an import of a type that is not there": {magic + "\x02\x05\x01\x00\x00\x00\x07", "type 7 of 0"},
		"an export of a function not there":     {magic + "\x07\x04\x01\x00\x00\x07", `export "" names function 7 of 0`},
		"a name that is not UTF-8":              {magic + "\x07\x04\x01\x01\xff\x00", "a name that is not UTF-8"},
		"more exports than bytes":               {magic + "\x07\x5e\xff\xff\xff_frames\x00r", "94 bytes announced"},
		"more elements than bytes":              {magic + "\x09\x0b\x01\x01\x00\xff\xff\xff\xff\x0f123", "a vector of 4294967295 elements in 3 bytes"},
		"more data than bytes":                  {magic + "\x0b\x08\x01\x01\xff\xff\xff\xff\x0f1", "4294967295 bytes announced, 1 left"},
		"more globals than bytes":               {magic + "\x06\x03\xff\x7f1", "a vector of 16383 elements in 1 bytes"},
		"a section twice":                       {magic + "\x01\x01\x00\x01\x01\x00", "the type section in the wrong place, or twice at byte 13"},
		"a section after a later one":           {magic + "\x07\x01\x00\x01\x01\x00", "the type section in the wrong place, or twice"},
		"bytes after the last type":             {magic + "\x01\x02\x00\x00", "bytes left over in the type section"},
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

func TestTablesAreBoundedAndCustomSectionsKept(t *testing.T) {
	wasm := append(append([]byte{}, fixtures(t)["table_grow"]...), "\x00\x0b\x04democonten\x00\x0c\x0b.debug_line"...)
	f, err := Parse(wasm)
	if err != nil {
		t.Fatal(err)
	}
	out, err := f.Metered(100)
	if err != nil {
		t.Fatal(err)
	}
	if f, err = Parse(out); err != nil {
		t.Fatal(err)
	}
	if table := f.Tables[0]; !table.HasMax || table.Max != 100 || table.Min != 1 {
		t.Errorf("table is %+v, want a maximum of 100", table)
	}
	if demo, ok := f.Custom("demo"); !ok || string(demo) != "conten" {
		t.Errorf("the custom section is %q, %v", demo, ok)
	}
	if _, ok := f.Custom(".debug_line"); ok {
		t.Error("a section with offsets into the old code is still there")
	}
}

// The engine must see the same imports and exports as this package, or a module could slip past the checks, and find the
// metered module as valid as the original. It is only shown what Load would show it: on other files it may ask for more
// memory than there is.
func FuzzTheEngineSeesTheSameModule(f *testing.F) {
	for _, wasm := range fixtures(f) {
		f.Add(wasm)
	}
	ctx := context.Background()
	engine := wazero.NewRuntimeWithConfig(ctx, wazero.NewRuntimeConfigInterpreter().WithDebugInfoEnabled(false))
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
		original, wantErr := engine.CompileModule(ctx, wasm)
		if wantErr == nil {
			defer original.Close(ctx)
		}
		compiled, err := engine.CompileModule(ctx, metered)
		if (err == nil) != (wantErr == nil) {
			t.Fatalf("the original compiles with %v, the metered one with %v", wantErr, err)
		}
		if err != nil {
			return
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

func TestModulesThatCanNotBeMeteredAreRefusedWithThePlace(t *testing.T) {
	// A module of one function () -> () with that code.
	module := func(code string) string {
		body := "\x00" + code
		size := byte(len(body))
		return "\x00asm\x01\x00\x00\x00\x01\x04\x01\x60\x00\x00\x03\x02\x01\x00\x0a" + string([]byte{size + 2, 1, size}) + body
	}
	cases := map[string]struct{ wasm, want string }{
		"a tail call":                  {module("\x12\x00\x0b"), "an instruction 0x12 that this host does not support at byte 24"},
		"an exception":                 {module("\x08\x00\x0b"), "an instruction 0x08 that this host does not support"},
		"an atomic instruction":        {module("\xfe\x03\x00\x0b"), "an instruction 0xfe that this host does not support"},
		"a relaxed vector instruction": {module("\xfd\x80\x02\x0b"), "an instruction 0xfd 256 that this host does not support"},
		"a branch to nowhere":          {module("\x0c\x05\x0b"), "a branch to a label that is not there"},
		"code after the end":           {module("\x0b\x0b"), "code after the end of a function"},
		"code without an end":          {module("\x01"), "unexpected end"},
		"code that is not declared": {"\x00asm\x01\x00\x00\x00\x0a\x04\x01\x02\x00\x0b",
			"another number of functions than the function section declares"},
		"the host's own export": {module("\x0b")[:18] + "\x07\x0f\x01\x0bhermes_fuel\x00\x00" + module("\x0b")[18:],
			"an export hermes_fuel, a name that the host uses"},
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
