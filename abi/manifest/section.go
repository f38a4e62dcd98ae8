package manifest

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"unicode/utf8"

	"github.com/hermes-cdp/hermes-cdp/abi"
)

// FormatError says where a file is not valid WebAssembly.
type FormatError struct {
	Offset int // in bytes from the start of the file
	Reason string
}

// Error names the offset and the reason.
func (e *FormatError) Error() string {
	return fmt.Sprintf("not a WebAssembly module: byte %d: %s", e.Offset, e.Reason)
}

// header is the start of every binary of version 1.
// https://webassembly.github.io/spec/core/binary/modules.html#binary-module
var header = []byte("\x00asm\x01\x00\x00\x00")

// section is one section of a binary.
type section struct {
	start, end int    // in the file, header included
	name       string // empty unless it is a custom section
	body       []byte // of a custom section: the content after its name
}

func (s section) isManifest() bool { return s.name == abi.ManifestSection }

// sections lists the sections of the binary. It looks into custom sections only.
func sections(wasm []byte) ([]section, error) {
	if !bytes.HasPrefix(wasm, header) {
		return nil, &FormatError{0, "the magic number and version 1 are missing"}
	}
	var all []section
	for at := len(header); at < len(wasm); {
		s := section{start: at}
		id := wasm[at]
		body, end, err := sized(wasm, at+1, len(wasm), "section")
		if err != nil {
			return nil, err
		}
		if id == 0 {
			name, after, err := sized(wasm, body, end, "name of a custom section")
			if err != nil {
				return nil, err
			}
			if !utf8.Valid(wasm[name:after]) {
				return nil, &FormatError{name, "the name of a custom section is not UTF-8"}
			}
			s.name, s.body = string(wasm[name:after]), wasm[after:end]
		}
		s.end, at = end, end
		all = append(all, s)
	}
	return all, nil
}

// sized reads a length at an offset and returns where the content of that length starts and ends.
func sized(wasm []byte, at, limit int, what string) (start, end int, err error) {
	var size uint64
	for shift := 0; ; shift += 7 {
		if at >= limit {
			return 0, 0, &FormatError{at, "the length of a " + what + " is cut"}
		}
		b := wasm[at]
		at++
		size |= uint64(b&0x7f) << shift
		if size > 1<<32-1 || shift > 28 {
			return 0, 0, &FormatError{at, "the length of a " + what + " has more than 32 bits"}
		}
		if b < 0x80 {
			break
		}
	}
	if size > uint64(limit-at) {
		return 0, 0, &FormatError{at, fmt.Sprintf("a %s of %d bytes ends beyond the file or section", what, size)}
	}
	return at, at + int(size), nil
}

// Read returns the manifest of a binary; found is false if it has none. The error is a [*FormatError], or wraps an
// [*abi.DecodeError]. Read does not validate the manifest; see [Validate].
func Read(wasm []byte) (m abi.Manifest, found bool, err error) {
	all, err := sections(wasm)
	if err != nil {
		return m, false, err
	}
	for _, s := range all {
		if !s.isManifest() {
			continue
		}
		if found {
			return abi.Manifest{}, false, &FormatError{s.start, "a second section " + abi.ManifestSection}
		}
		found = true
		if err := m.Unmarshal(s.body); err != nil {
			return abi.Manifest{}, false, fmt.Errorf("section %s: %w", abi.ManifestSection, err)
		}
	}
	return m, found, nil
}

// Write returns a copy of the binary with m as its only manifest, in the last section. The error is a [*FormatError] or
// a [*ValidationError].
func Write(wasm []byte, m *abi.Manifest) ([]byte, error) {
	if err := Validate(m); err != nil {
		return nil, err
	}
	all, err := sections(wasm)
	if err != nil {
		return nil, err
	}
	out := append(make([]byte, 0, len(wasm)+512), header...)
	for _, s := range all {
		if !s.isManifest() {
			out = append(out, wasm[s.start:s.end]...)
		}
	}
	content := binary.AppendUvarint(nil, uint64(len(abi.ManifestSection)))
	content = append(content, abi.ManifestSection...)
	content = m.Append(content)
	out = binary.AppendUvarint(append(out, 0), uint64(len(content)))
	return append(out, content...), nil
}
