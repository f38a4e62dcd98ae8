package plugins_test

import (
	"path/filepath"
	"testing"

	"github.com/hermes-cdp/hermes-cdp/host/module"
	"github.com/hermes-cdp/hermes-cdp/host/module/plugintest"
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
			sdktest.Run(t, goldenTable(name), plugintest.Wasm(shipped(t, name), module.Options{Name: name, CacheDir: compiled}))
		})
	}
}

func TestGoldenTablesOnTheSameSourcesBuiltByGo(t *testing.T) {
	for _, m := range build.Modules() {
		if _, isShipped := plugins.Module(m.Name); !isShipped {
			continue
		}
		t.Run(m.Name, func(t *testing.T) {
			sdktest.Run(t, goldenTable(m.Name), plugintest.Wasm(builtByGo(t, m), module.Options{Name: m.Name, CacheDir: compiled}))
		})
	}
}
