package trial

import (
	"bytes"
	"encoding/binary"
	"testing"

	"github.com/hermes-cdp/hermes-cdp/abi"
)

// tinyLoops is a module of about so many bytes that has nothing but loops which do nothing, each of which the meter
// makes larger; functions is among how many they are divided.
func tinyLoops(t *testing.T, size, functions int) []byte {
	t.Helper()
	const loop = "\x03\x40\x0b"
	body := append([]byte{0}, bytes.Repeat([]byte(loop), size/functions/len(loop))...)
	hook := append(bytes.Clone(body), 0x41, 1, 0x0b) // i32.const 1: abstain
	body = append(body, 0x0b)

	var code []byte
	code = append(vector(code, uint64(2+functions-1)), sized([]byte{0, 0x0b})...) // the marker
	code = append(code, sized(hook)...)
	code = append(code, bytes.Repeat(sized(body), functions-1)...)

	types := []byte{2, 0x60, 0, 0, 0x60, 1, 0x7f, 1, 0x7f}
	declared := append(vector(nil, uint64(2+functions-1)), 0, 1)
	declared = append(declared, bytes.Repeat([]byte{0}, functions-1)...)
	exports := []byte{3}
	exports = append(export(exports, "memory"), 2, 0)
	exports = append(export(exports, abi.ExportMarker), 0, 0)
	exports = append(export(exports, string(abi.HookDialog)), 0, 1)

	wasm := []byte("\x00asm\x01\x00\x00\x00")
	for _, section := range []struct {
		id   byte
		body []byte
	}{{1, types}, {3, declared}, {5, []byte{1, 0, 1}}, {7, exports}, {10, code}} {
		wasm = append(append(wasm, section.id), sized(section.body)...)
	}
	return wasm
}

func vector(out []byte, n uint64) []byte { return binary.AppendUvarint(out, n) }

func sized(b []byte) []byte { return append(vector(nil, uint64(len(b))), b...) }

func export(out []byte, name string) []byte { return append(out, sized([]byte(name))...) }
