package host

import (
	"errors"
	"os"
	"strings"
	"testing"

	"github.com/hermes-cdp/hermes-cdp/abi"
	"github.com/hermes-cdp/hermes-cdp/abi/manifest"
	"github.com/hermes-cdp/hermes-cdp/host/module"
)

func TestAModuleWhoseToolCouldNotBeCalledDoesNotServe(t *testing.T) {
	wasm, err := os.ReadFile("../plugins/examples/dist/page-headings.wasm")
	if err != nil {
		t.Fatal(err)
	}
	m, _, err := manifest.Read(wasm)
	if err != nil {
		t.Fatal(err)
	}
	m.Tools[0].InputSchema = `{"type": "objekt"}`
	if wasm, err = manifest.Write(wasm, &m); err != nil {
		t.Fatal(err)
	}
	_, err = New(t.Context(), &Options{PluginCacheDir: compiled, Plugins: map[string]PluginOptions{"page-headings": {PluginSource: PluginSource{Wasm: wasm}, Hooks: abi.Hooks()}}})
	var refused *module.LoadError
	if !errors.As(err, &refused) || refused.Step != "manifest" || !strings.Contains(err.Error(), `tool "page_headings": input_schema`) {
		t.Errorf("the error is %v", err)
	}
}
