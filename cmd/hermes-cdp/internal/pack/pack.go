// Package pack writes manifests into module files.
package pack

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"

	"github.com/hermes-cdp/hermes-cdp/abi/manifest"
	"github.com/hermes-cdp/hermes-cdp/internal/wholefile"
)

// Packed tells what was written.
type Packed struct {
	File    string `json:"file"`
	Name    string `json:"name"`
	Version string `json:"version"`
	Bytes   int    `json:"bytes"`
	SHA256  string `json:"sha256"`
}

// Pack writes the manifest in a JSON file into a module; out empty: into the same file. The file is replaced as a whole
// or not at all.
func Pack(file, manifestFile, out string) (Packed, error) {
	m, err := manifest.ReadFile(manifestFile)
	if err != nil {
		return Packed{}, err
	}
	wasm, err := os.ReadFile(file)
	if err != nil {
		return Packed{}, err
	}
	packed, err := manifest.Write(wasm, &m.Manifest)
	if err != nil {
		return Packed{}, fmt.Errorf("%s: %w", file, err)
	}
	out = cmp.Or(out, file)
	if err := wholefile.Write(out, packed, 0o644); err != nil {
		return Packed{}, err
	}
	digest := sha256.Sum256(packed)
	return Packed{File: out, Name: m.Name, Version: m.Version, Bytes: len(packed), SHA256: hex.EncodeToString(digest[:])}, nil
}
