//go:build !(tinygo.wasm || wasip1)

package main

import (
	"testing"

	"github.com/hermes-cdp/hermes-cdp/host/module"
	"github.com/hermes-cdp/hermes-cdp/host/module/plugintest"
	"github.com/hermes-cdp/hermes-cdp/plugins/contrary"
	"github.com/hermes-cdp/hermes-cdp/sdk/sdktest"
)

func TestTheCasesNatively(t *testing.T) { sdktest.Run(t, "testdata/cases.json", sdktest.Native) }

func TestTheCasesOnTheModule(t *testing.T) {
	granted := module.Options{Functions: []string{"lookup_v1"}}
	sdktest.Run(t, "testdata/cases.json", plugintest.Wasm(contrary.Embedder(), granted))
}
