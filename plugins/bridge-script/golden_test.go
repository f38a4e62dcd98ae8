//go:build !(tinygo.wasm || wasip1)

package main

import (
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/hermes-cdp/hermes-cdp/abi"
	"github.com/hermes-cdp/hermes-cdp/sdk"
	"github.com/hermes-cdp/hermes-cdp/sdk/bridge"
	"github.com/hermes-cdp/hermes-cdp/sdk/sdktest"
)

// The same table runs on the built modules in package plugins.
func TestGoldenTableNatively(t *testing.T) { sdktest.Run(t, "testdata/golden.json", sdktest.Native) }

func defaults(t testing.TB) hybrid {
	t.Helper()
	s, err := readSettings(nil)
	if err != nil {
		t.Fatal(err)
	}
	return hybrid{&s}
}

func TestTheScriptIsCalledWithTheTokensAndHasItsName(t *testing.T) {
	event := bridge.ScriptEvent{Header: abi.Header{RandomSeed: []byte{0x0f, 0xa0}}, PauseToken: "p1", RequestToken: "r2"}
	got, err := defaults(t).Script(event)
	if err != nil {
		t.Fatal(err)
	}
	call := `("p1","r2","https://hermes-bridge.invalid/",10240,2000);` + "\n//# sourceURL=hermes-bridge-0fa0.js\n"
	if !strings.HasPrefix(got.Source, shim) || !strings.HasSuffix(got.Source, call) {
		t.Errorf("the script ends with %q", got.Source[max(0, len(got.Source)-200):])
	}
	if got.SourceURL != "hermes-bridge-0fa0.js" || len(got.RequestPatterns) != 1 || got.RequestPatterns[0] != "https://hermes-bridge.invalid/*" {
		t.Errorf("name %q, patterns %q", got.SourceURL, got.RequestPatterns)
	}
}

// encodeFields does what the shim does.
func encodeFields(fields [fieldCount]string) string {
	var out []byte
	for _, f := range fields {
		units := 0
		for _, r := range f {
			if units++; r > 0xffff {
				units++
			}
		}
		out = append(append(append(out, sdk.Decimal(int64(units))...), ':'), f...)
	}
	return string(out)
}

func TestSplitUndoesWhatTheShimWrites(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var want [fieldCount]string
		for i := range want {
			want[i] = rapid.String().Draw(t, "field")
		}
		if got, ok := split(encodeFields(want)); !ok || got != want {
			t.Fatalf("got %q, %v, want %q", got, ok, want)
		}
	})
}

// FuzzSplit checks that whatever split accepts is what the shim writes, so a request has only one meaning.
func FuzzSplit(f *testing.F) {
	f.Add("32:00112233445566778899aabbccddeeff5:alert0:0:1:k0:")
	f.Add("1:a")
	f.Fuzz(func(t *testing.T, payload string) {
		if fields, ok := split(payload); ok && encodeFields(fields) != payload {
			t.Errorf("%q was read as %q", payload, fields)
		}
	})
}

func TestSchema(t *testing.T) { sdktest.Schema(t, "manifest.json") }
