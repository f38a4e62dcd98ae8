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
			conformance.Guest(t.Context(), t, module.Conformance(privateCache(t)), wasm)
		})
	}
}

func TestTheSameSourcesBuiltByGoConform(t *testing.T) {
	for _, m := range build.Modules() {
		if _, isShipped := plugins.Module(m.Name); !isShipped {
			continue
		}
		t.Run(m.Name, func(t *testing.T) {
			wasm, err := build.Go(t.Context(), "..", m)
			if err != nil {
				t.Fatal(err)
			}
			conformance.Guest(t.Context(), t, module.Conformance(privateCache(t)), wasm)
		})
	}
}

// privateCache keeps compiled code for a test, which loads its module once for each configuration.
func privateCache(t *testing.T) module.Options {
	t.Helper()
	cache := filepath.Join(t.TempDir(), "cache")
	if err := os.Mkdir(cache, 0o700); err != nil { // the host uses no directory that others can read
		t.Fatal(err)
	}
	return module.Options{CacheDir: cache}
}
