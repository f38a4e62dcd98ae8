//go:build !(tinygo.wasm || wasip1)

package main

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"testing"

	"github.com/hermes-cdp/hermes-cdp/sdk/sdktest"
)

var update = flag.Bool("update", false, "write page.js into the manifest")

// The same table runs on the built modules in package plugins.
func TestGoldenTableNatively(t *testing.T) { sdktest.Run(t, "testdata/golden.json", sdktest.Native) }

// A manifest is JSON, where nobody can read a script.
func TestTheManifestHasThePageScript(t *testing.T) {
	script, err := os.ReadFile("page.js")
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile("manifest.json")
	if err != nil {
		t.Fatal(err)
	}
	var manifest struct {
		Tools []struct {
			PageScript string `json:"page_script"`
		} `json:"tools"`
	}
	if err := json.Unmarshal(text, &manifest); err != nil || len(manifest.Tools) != 1 {
		t.Fatalf("%v, %d tools", err, len(manifest.Tools))
	}
	packed := manifest.Tools[0].PageScript
	if packed == string(script) {
		return
	}
	if !*update {
		t.Fatal("manifest.json has another script than page.js; run the test with -update")
	}
	if err := os.WriteFile("manifest.json", bytes.Replace(text, quoted(t, packed), quoted(t, string(script)), 1), 0o644); err != nil {
		t.Fatal(err)
	}
}

func quoted(t *testing.T, text string) []byte {
	t.Helper()
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(text); err != nil {
		t.Fatal(err)
	}
	return bytes.TrimSuffix(out.Bytes(), []byte("\n"))
}
