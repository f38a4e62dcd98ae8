package plugins_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/hermes-cdp/hermes-cdp/host/module"
	"github.com/hermes-cdp/hermes-cdp/plugins"
	"github.com/hermes-cdp/hermes-cdp/plugins/internal/build"
	"github.com/hermes-cdp/hermes-cdp/sdk/sdktest"
)

func goldenTable(name string) string {
	return filepath.Join(name, filepath.FromSlash(build.GoldenTable))
}

func shipped(t *testing.T, name string) []byte {
	t.Helper()
	wasm, ok := plugins.Module(name)
	if !ok {
		t.Fatalf("no module %q is shipped", name)
	}
	return wasm
}

func TestGoldenTablesOnTheShippedModules(t *testing.T) {
	for _, name := range plugins.Names() {
		t.Run(name, func(t *testing.T) {
			sdktest.Run(t, goldenTable(name), sdktest.Wasm(shipped(t, name), module.Options{Name: name}))
		})
	}
}

func TestGoldenTablesOnTheSameSourcesBuiltByGo(t *testing.T) {
	for _, m := range build.Modules() {
		if _, isShipped := plugins.Module(m.Name); !isShipped {
			continue
		}
		t.Run(m.Name, func(t *testing.T) {
			wasm, err := build.Go(t.Context(), "..", m)
			if err != nil {
				t.Fatal(err)
			}
			// Go modules take half a second to compile, and the table starts one for each configuration.
			cache := filepath.Join(t.TempDir(), "cache")
			if err := os.Mkdir(cache, 0o700); err != nil { // the host uses no directory that others can read
				t.Fatal(err)
			}
			options := module.Options{Name: m.Name, CacheDir: cache}
			sdktest.Run(t, goldenTable(m.Name), sdktest.Wasm(wasm, options))
		})
	}
}
