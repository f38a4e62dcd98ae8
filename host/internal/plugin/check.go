package plugin

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/tetratelabs/wazero/api"

	"github.com/hermes-cdp/hermes-cdp/abi"
	"github.com/hermes-cdp/hermes-cdp/host/internal/plugin/wasmfile"
)

// The checks of a module's outline. Each returns all the problems that it finds, because an author wants to fix them
// together. wasi holds the functions of wasi_snapshot_preview1.

func checkImports(f *wasmfile.File, wasi map[string]api.FunctionDefinition, granted []Grant) error {
	var problems []error
	optional := optionalImports(f)
	for _, i := range f.Imports {
		if err := checkImport(i, wasi, granted, optional); err != nil {
			problems = append(problems, err)
		}
	}
	return errors.Join(problems...)
}

func checkImport(i wasmfile.Import, wasi map[string]api.FunctionDefinition, granted []Grant, optional map[string]wasmfile.FuncType) error {
	name := printable(i.Module) + "." + printable(i.Name)
	var want wasmfile.FuncType
	switch i.Module {
	case abi.ImportModule:
		if f := findHostFunction(i.Name); f != nil {
			want = f.sig
			break
		}
		stub, ok := optional[i.Name]
		if !ok {
			return fmt.Errorf("imports %s, which this host does not have%s; if the module can do without it, "+
				"list it in optional_imports of its manifest", name, didYouMean(i.Name, hostFunctionNames()))
		}
		if !answersCode(stub) {
			return fmt.Errorf("imports %s, which this host does not have; it is among the manifest's optional_imports, "+
				"but as %s it cannot return an error code: it must return an i32", name, stub)
		}
		want = stub
	case wasiModule:
		f, ok := wasi[i.Name]
		if !ok {
			return fmt.Errorf("imports %s, which WASI preview 1 does not have", name)
		}
		want = wasmfile.FuncType{Params: f.ParamTypes(), Results: f.ResultTypes()}
	case abi.EmbedderModule:
		if !slices.Contains(namesOf(granted), i.Name) {
			return fmt.Errorf("imports %s, a function of the program that embeds the host, which is not granted to the plugin (%s); "+
				"the program grants it in PluginOptions.Functions", name, grantedText(granted))
		}
		want = embedderSignature
	default:
		return fmt.Errorf("imports %s %s from the module %q; a plugin may import only from %s and %s, and what it is granted from %s",
			i.Kind, name, printable(i.Module), abi.ImportModule, wasiModule, abi.EmbedderModule)
	}
	if i.Kind != wasmfile.KindFunc {
		return fmt.Errorf("imports %s as a %s; it is a function", name, i.Kind)
	}
	if !i.Type.Equal(want) {
		return fmt.Errorf("imports %s as %s; its signature is %s", name, i.Type, want)
	}
	return nil
}

// exportPrefix is reserved. An unknown export that begins with it would silently be unused.
const exportPrefix = "hermes_"

func checkExports(f *wasmfile.File) error {
	var problems []error
	if marker, ok := f.Export(abi.ExportMarker); !ok {
		problems = append(problems, markerMissing(f))
	} else if marker.Kind != wasmfile.KindFunc || !marker.Type.Equal(wasmfile.FuncType{}) {
		problems = append(problems, fmt.Errorf("export %s must be a function ()", abi.ExportMarker))
	}
	hooks := 0
	for _, e := range f.Exports {
		if !strings.HasPrefix(e.Name, exportPrefix) || e.Name == abi.ExportMarker {
			continue
		}
		want, known := exportSignature(e.Name)
		switch {
		case !known:
			problems = append(problems, fmt.Errorf("exports %s, which this host does not know%s",
				printable(e.Name), didYouMean(e.Name, knownExports())))
			continue
		case e.Kind != wasmfile.KindFunc:
			problems = append(problems, fmt.Errorf("export %s is a %s; it must be a function %s", e.Name, e.Kind, want))
		case !e.Type.Equal(want):
			problems = append(problems, fmt.Errorf("export %s is %s; it must be %s", e.Name, e.Type, want))
		}
		if e.Name != abi.ExportInit {
			hooks++
		}
	}
	if hooks == 0 {
		problems = append(problems, fmt.Errorf("exports no hook; it must export at least one of %v", abi.Hooks()))
	}
	return errors.Join(problems...)
}

func markerMissing(f *wasmfile.File) error {
	hint := "build the plugin with the sdk, or export a function () of that name"
	if _, command := f.Export("_start"); command {
		hint = "it is a command with a main function; build a reactor (tinygo build -buildmode=c-shared, or " +
			"GOOS=wasip1 GOARCH=wasm go build -buildmode=c-shared)"
	}
	return fmt.Errorf("has no export %s, which declares version 1 of the ABI; %s", abi.ExportMarker, hint)
}

func exportSignature(name string) (sig wasmfile.FuncType, known bool) {
	switch {
	case name == abi.ExportInit:
		return signature(0, wasmfile.I32), true
	case hookIndex(abi.Hook(name)) >= 0:
		return signature(1, wasmfile.I32), true
	}
	return wasmfile.FuncType{}, false
}

func knownExports() []string {
	names := []string{abi.ExportMarker, abi.ExportInit}
	for _, h := range abi.Hooks() {
		names = append(names, string(h))
	}
	return names
}

// HooksOf lists the hooks that a module exports, in the order of [abi.Hooks].
func HooksOf(f *wasmfile.File) []abi.Hook {
	var hooks []abi.Hook
	for _, h := range abi.Hooks() {
		if e, ok := f.Export(string(h)); ok && e.Kind == wasmfile.KindFunc {
			hooks = append(hooks, h)
		}
	}
	return hooks
}

// memoryExport is the name under which every toolchain exports a module's memory.
const memoryExport = "memory"

// maxTableElements bounds the tables of an instance, which lie outside its linear memory: 1 MiB of pointers. A Go guest
// has a few thousand entries.
const maxTableElements = 128 << 10

// maxDefinitions bounds each list of a module: its types, functions, globals and the like. For each entry, of which
// some take only three bytes in the file, the engine and each instance take memory that no other limit counts. A
// program in Go has some thousand functions.
const maxDefinitions = 100_000

func checkMemory(f *wasmfile.File, l Limits) error {
	e, ok := f.Export(memoryExport)
	what, most := f.LongestList()
	switch {
	case most > maxDefinitions:
		return fmt.Errorf("declares %d %s; the limit is %d", most, what, maxDefinitions)
	case len(f.Memories) != 1:
		return fmt.Errorf("declares %d memories; a plugin must have exactly one", len(f.Memories))
	case !ok || e.Kind != wasmfile.KindMemory:
		return fmt.Errorf("does not export its memory as %q, so the host cannot exchange messages with it", memoryExport)
	}
	if m := f.Memories[0]; m.Min > uint64(l.MemoryBytes)/wasmfile.PageBytes {
		return fmt.Errorf("starts with %d bytes of memory, the limit is %d; raise the memory limit, or reduce its initial memory and stack",
			m.Min*wasmfile.PageBytes, l.MemoryBytes)
	}
	var elements uint64
	for _, t := range f.Tables {
		elements += t.Min
	}
	if elements > maxTableElements {
		return fmt.Errorf("declares tables of %d elements; the limit is %d", elements, maxTableElements)
	}
	return nil
}

// maxShownName bounds the length of names from the file in messages.
const maxShownName = 128

func printable(name string) string { return sanitize([]byte(name), maxShownName) }
