package manifest_test

import (
	"bytes"
	"errors"
	"reflect"
	"strings"
	"testing"

	"github.com/hermes-cdp/hermes-cdp/abi"
	"github.com/hermes-cdp/hermes-cdp/abi/manifest"
)

const wasmHeader = "\x00asm\x01\x00\x00\x00"

// typeSection declares one function type without parameters and results.
const typeSection = "\x01\x04\x01\x60\x00\x00"

func sample() *abi.Manifest {
	return &abi.Manifest{
		Name: "dialog-policy", Version: "1.2.0", Hooks: []string{string(abi.HookDialog)},
		ConfigSchema: `{"type":"object"}`, Fuel: 1e6,
		Description: strings.Repeat("long enough for a length of two bytes ", 8),
	}
}

func TestAWrittenManifestIsReadBack(t *testing.T) {
	wasm := []byte(wasmHeader + typeSection + "\x00\x05\x04name")
	packed, err := manifest.Write(wasm, sample())
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.HasPrefix(packed, wasm) {
		t.Error("the other sections changed")
	}
	got, found, err := manifest.Read(packed)
	if err != nil || !found || !reflect.DeepEqual(&got, sample()) {
		t.Errorf("read %+v, %v (%v)", got, found, err)
	}
}

func TestWriteReplacesAManifest(t *testing.T) {
	first, err := manifest.Write([]byte(wasmHeader), sample())
	if err != nil {
		t.Fatal(err)
	}
	next := sample()
	next.Version = "2.0.0"
	second, err := manifest.Write(append(first, typeSection...), next)
	if err != nil {
		t.Fatal(err)
	}
	want, err := manifest.Write([]byte(wasmHeader+typeSection), next)
	if err != nil || !bytes.Equal(second, want) {
		t.Errorf("got %q, want %q (%v)", second, want, err)
	}
}

func TestAModuleWithoutAManifestIsFine(t *testing.T) {
	if _, found, err := manifest.Read([]byte(wasmHeader + typeSection)); found || err != nil {
		t.Errorf("found %v (%v)", found, err)
	}
}

func TestReadRefusals(t *testing.T) {
	custom := func(body string) string {
		content := string([]byte{byte(len(abi.ManifestSection))}) + abi.ManifestSection + body
		return "\x00" + string([]byte{byte(len(content))}) + content
	}
	cases := []struct{ name, wasm, want string }{
		{"an empty file", "", "byte 0: the magic number and version 1 are missing"},
		{"a component", "\x00asm\x0d\x00\x01\x00", "byte 0: the magic number and version 1 are missing"},
		{"a section without length", wasmHeader + "\x01", "byte 9: the length of a section is cut"},
		{"a length of 33 bits", wasmHeader + "\x01\xff\xff\xff\xff\x1f", "has more than 32 bits"},
		{"an endless length", wasmHeader + "\x01\x80\x80\x80\x80\x80\x80\x00", "has more than 32 bits"},
		{"a section beyond the file", wasmHeader + "\x01\x05\x00", "byte 10: a section of 5 bytes ends beyond"},
		{"a name beyond its section", wasmHeader + "\x00\x02\x05aaaaaa", "byte 11: a name of a custom section of 5 bytes ends beyond"},
		{"a name that is not UTF-8", wasmHeader + "\x00\x02\x01\xff", "byte 11: the name of a custom section is not UTF-8"},
		{"a manifest that is not protobuf", wasmHeader + custom("\x0a\x09x"), "section hermes.manifest: abi: cannot decode field 1"},
		{"two manifests", wasmHeader + custom("") + custom(""), "a second section hermes.manifest"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			_, found, err := manifest.Read([]byte(c.wasm))
			if err == nil || found || !strings.Contains(err.Error(), c.want) {
				t.Errorf("error is %v, want it to contain %q", err, c.want)
			}
		})
	}
}

func TestWriteRefusesAnInvalidManifest(t *testing.T) {
	_, err := manifest.Write([]byte(wasmHeader), &abi.Manifest{})
	var validation *manifest.ValidationError
	if !errors.As(err, &validation) || validation.Key != "name" {
		t.Errorf("error is %v", err)
	}
}

// FuzzWrite packs a manifest into arbitrary files: it must read back, and packing again must change nothing.
func FuzzWrite(f *testing.F) {
	packed, err := manifest.Write([]byte(wasmHeader+typeSection), sample())
	if err != nil {
		f.Fatal(err)
	}
	f.Add(packed)
	f.Add([]byte(wasmHeader + "\x00\x05\x04name"))
	f.Add([]byte(wasmHeader + "\x01\x80\x80\x80\x80\x00"))
	f.Fuzz(func(t *testing.T, wasm []byte) {
		_, _, readErr := manifest.Read(wasm)
		before := bytes.Clone(wasm)
		packed, err := manifest.Write(wasm, sample())
		if !bytes.Equal(before, wasm) {
			t.Fatal("Write changed its input")
		}
		if err != nil {
			if readErr == nil {
				t.Fatalf("the file can be read, and not written: %v", err)
			}
			return
		}
		got, found, err := manifest.Read(packed)
		if err != nil || !found || !reflect.DeepEqual(&got, sample()) {
			t.Fatalf("read %+v, %v (%v)", got, found, err)
		}
		again, err := manifest.Write(packed, sample())
		if err != nil || !bytes.Equal(again, packed) {
			t.Fatalf("packing twice is different (%v)", err)
		}
	})
}
