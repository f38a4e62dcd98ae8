package plugin

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"

	"github.com/hermes-cdp/hermes-cdp/abi"
)

// Source says where a module comes from.
type Source struct {
	Name   string // its name in configuration, logs and errors
	Path   string // the .wasm file; used if Bytes is nil
	Bytes  []byte // the module itself, such as an embedded one; must not change
	SHA256 string // the hash that the module must have, in hexadecimal; empty accepts any
	Config []byte // encoded google.protobuf.Struct that config_read returns; constant for the life of the module
	Limits Limits
	// Capabilities are granted by the operator. Imports that need others answer [abi.CodeDenied].
	Capabilities []abi.Capability
	// Functions are the functions of the embedder that the module may import.
	Functions []Grant
	// Hooks are the hooks that the module may serve; nil: all that it exports.
	Hooks []abi.Hook
}

// read returns the module's bytes, never more than the limit.
func (s *Source) read() ([]byte, error) {
	limit := s.Limits.ModuleBytes
	tooLarge := func(size string) error {
		return fmt.Errorf("the file has %s bytes, but the limit is %d; strip its debug sections, or raise the module size limit",
			size, limit)
	}
	if s.Bytes != nil {
		if int64(len(s.Bytes)) > limit {
			return nil, tooLarge(fmt.Sprint(len(s.Bytes)))
		}
		return s.Bytes, nil
	}
	if s.Path == "" {
		return nil, errors.New("neither a path nor bytes are given")
	}
	f, err := os.Open(s.Path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%w; check the plugin's path, which is relative to the working directory", err)
	} else if err != nil {
		return nil, err
	}
	defer f.Close()
	if info, err := f.Stat(); err != nil {
		return nil, err
	} else if info.IsDir() {
		return nil, fmt.Errorf("%s is a directory; name the .wasm file in it", s.Path)
	} else if info.Size() > limit {
		return nil, tooLarge(fmt.Sprint(info.Size()))
	}
	// The size from Stat can be wrong (a pipe, a growing file), so the read itself is bounded too.
	wasm, err := io.ReadAll(io.LimitReader(f, limit+1))
	if err != nil {
		return nil, err
	} else if int64(len(wasm)) > limit {
		return nil, tooLarge("more than " + fmt.Sprint(limit))
	}
	return wasm, nil
}

// checkPin compares the hash of the module with the one in the configuration.
func checkPin(want, got string) error {
	want = strings.ToLower(strings.TrimPrefix(want, "sha256:"))
	if want == "" || want == got {
		return nil
	}
	if raw, err := hex.DecodeString(want); err != nil || len(raw) != sha256.Size {
		return fmt.Errorf("the pinned sha256 %q is not 64 hexadecimal digits; the file has %s", want, got)
	}
	return fmt.Errorf("the file's sha256 is %s, but %s is pinned; restore the pinned file, or pin the new hash after a review",
		got, want)
}

func hashHex(b []byte) string {
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:])
}
