// Package pack writes manifests into module files.
package pack

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/hermes-cdp/hermes-cdp/abi/manifest"
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
	text, err := os.ReadFile(manifestFile)
	if err != nil {
		return Packed{}, err
	}
	m, err := manifest.Parse(text)
	if err != nil {
		return Packed{}, fmt.Errorf("%s: %w", manifestFile, err)
	}
	wasm, err := os.ReadFile(file)
	if err != nil {
		return Packed{}, err
	}
	packed, err := manifest.Write(wasm, &m)
	if err != nil {
		return Packed{}, fmt.Errorf("%s: %w", file, err)
	}
	out = cmp.Or(out, file)
	if err := replace(out, packed); err != nil {
		return Packed{}, err
	}
	digest := sha256.Sum256(packed)
	return Packed{File: out, Name: m.Name, Version: m.Version, Bytes: len(packed), SHA256: hex.EncodeToString(digest[:])}, nil
}

// replace writes a file beside path and moves it there, so that a host that loads path never sees half of it.
func replace(path string, data []byte) error {
	temporary, err := os.CreateTemp(filepath.Dir(path), filepath.Base(path)+".*")
	if err != nil {
		return err
	}
	_, err = temporary.Write(data)
	err = errors.Join(err, temporary.Chmod(0o644), temporary.Close())
	if err == nil {
		err = os.Rename(temporary.Name(), path)
	}
	if err != nil {
		return errors.Join(err, os.Remove(temporary.Name()))
	}
	return nil
}
