//go:build !(tinygo.wasm || wasip1)

package main

import (
	"testing"

	"github.com/hermes-cdp/hermes-cdp/sdk/sdktest"
)

// The same table runs on the built modules in package examples_test.
func TestGoldenTableNatively(t *testing.T) { sdktest.Run(t, "testdata/golden.json", sdktest.Native) }

func TestSchema(t *testing.T) { sdktest.Schema(t, "manifest.json") }
