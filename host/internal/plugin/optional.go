package plugin

import (
	"context"
	"slices"

	"github.com/tetratelabs/wazero/api"

	"github.com/hermes-cdp/hermes-cdp/abi"
	"github.com/hermes-cdp/hermes-cdp/host/internal/plugin/wasmfile"
)

// optionalImports are the functions of hermes_v1 that a module imports, that this host does not have, and that the
// module can do without according to its manifest. Later versions of the host have them, and `features` tells the
// module. Everything else is required: a misspelt name must not become a function that does nothing.
func optionalImports(f *wasmfile.File) map[string]wasmfile.FuncType {
	m, err := Manifest(f)
	if m == nil || err != nil {
		return nil
	}
	stubs := map[string]wasmfile.FuncType{}
	for _, i := range f.Imports {
		_, twice := stubs[i.Name] // with another signature it is rejected when the imports are checked
		if i.Module == abi.ImportModule && i.Kind == wasmfile.KindFunc && !twice &&
			findHostFunction(i.Name) == nil && slices.Contains(m.OptionalImports, i.Name) {
			stubs[i.Name] = i.Type
		}
	}
	return stubs
}

// answersCode reports whether a function of that signature can return a code.
func answersCode(sig wasmfile.FuncType) bool {
	return slices.Equal(sig.Results, []api.ValueType{wasmfile.I32})
}

// unsupported is the stub, which does nothing.
func unsupported(_ context.Context, stack []uint64) { stack[0] = code(abi.CodeUnsupported) }
