package plugins_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/hermes-cdp/hermes-cdp/abi/conformance"
	"github.com/hermes-cdp/hermes-cdp/host/module"
	"github.com/hermes-cdp/hermes-cdp/plugins"
	"github.com/hermes-cdp/hermes-cdp/plugins/internal/build"
)

func TestModulesConform(t *testing.T) {
	for _, m := range append(build.Modules(), build.LanguageModules()...) {
		t.Run(m.Name, func(t *testing.T) {
			wasm, err := os.ReadFile(filepath.Join("..", m.Output))
			if err != nil {
				t.Fatal(err)
			}
			conformance.Guest(t.Context(), t, module.Conformance(module.Options{CacheDir: compiled, Functions: needs(t, wasm)}), wasm)
		})
	}
}

// needs lists the functions of an embedder that a module imports.
func needs(t *testing.T, wasm []byte) []string {
	t.Helper()
	report, err := module.Inspect(wasm)
	if err != nil {
		t.Fatal(err)
	}
	return report.Embedder
}

func TestTheSameSourcesBuiltByGoConform(t *testing.T) {
	for _, m := range build.Modules() {
		if _, isShipped := plugins.Module(m.Name); !isShipped {
			continue
		}
		t.Run(m.Name, func(t *testing.T) {
			conformance.Guest(t.Context(), t, module.Conformance(module.Options{CacheDir: compiled}), builtByGo(t, m))
		})
	}
}
