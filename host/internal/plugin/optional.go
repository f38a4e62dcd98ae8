package plugin

import (
	"context"
	"slices"

	"github.com/hermes-cdp/hermes-cdp/abi"
	"github.com/hermes-cdp/hermes-cdp/host/internal/plugin/wasmfile"
)

// optionalImports are the functions of hermes_v1 that a module imports, that this host does not have, and that the module can
// do without by its manifest: a later version has them, and `features` tells the module. Everything else is required: a name
// that is misspelt must not become a function that does nothing.
func optionalImports(f *wasmfile.File) map[string]wasmfile.FuncType {
	m, err := Manifest(f)
	if m == nil || err != nil {
		return nil
	}
	stubs := map[string]wasmfile.FuncType{}
	for _, i := range f.Imports {
		_, twice := stubs[i.Name] // with another signature it is refused when the imports are checked
		if i.Module == abi.ImportModule && i.Kind == wasmfile.KindFunc && !twice &&
			findHostFunction(i.Name) == nil && slices.Contains(m.OptionalImports, i.Name) {
			stubs[i.Name] = i.Type
		}
	}
	return stubs
}

// answersCode tells whether a function of that signature can answer a code.
func answersCode(sig wasmfile.FuncType) bool {
	return slices.Equal(sig.Results, []wasmfile.ValueType{wasmfile.I32})
}

// unsupported is the stub: it reads nothing and does nothing.
func unsupported(_ context.Context, stack []uint64) { stack[0] = code(abi.CodeUnsupported) }
