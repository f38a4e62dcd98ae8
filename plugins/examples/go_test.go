package examples_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/hermes-cdp/hermes-cdp/host/module"
	"github.com/hermes-cdp/hermes-cdp/host/module/plugintest"
	"github.com/hermes-cdp/hermes-cdp/plugins/internal/build"
	"github.com/hermes-cdp/hermes-cdp/sdk/sdktest"
)

// goExamples lists the examples that are written in Go.
func goExamples() []build.Module {
	var list []build.Module
	for _, m := range build.Modules() {
		if strings.HasPrefix(m.Source, "plugins/examples/") {
			list = append(list, m)
		}
	}
	return list
}

func TestGoldenTablesOnTheExamplesBuiltByTinyGo(t *testing.T) {
	for _, m := range goExamples() {
		t.Run(m.Name, func(t *testing.T) { runGolden(t, m, committed(t, m)) })
	}
}

func TestGoldenTablesOnTheExamplesBuiltByGo(t *testing.T) {
	for _, m := range goExamples() {
		t.Run(m.Name, func(t *testing.T) {
			wasm, err := build.Go(t.Context(), repository, m)
			if err != nil {
				t.Fatal(err)
			}
			runGolden(t, m, wasm)
		})
	}
}

// runGolden keeps the compiled code, as the table starts a module for each configuration.
func runGolden(t *testing.T, m build.Module, wasm []byte) {
	t.Helper()
	cache := filepath.Join(t.TempDir(), "cache")
	if err := os.Mkdir(cache, 0o700); err != nil { // the host uses no directory that others can read
		t.Fatal(err)
	}
	sdktest.Run(t, filepath.Join(repository, m.Source, filepath.FromSlash(build.GoldenTable)), plugintest.Wasm(wasm, module.Options{Name: m.Name, CacheDir: cache}))
}
