package wasmfile

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"strings"
	"testing"

	"github.com/tetratelabs/wazero"
)

// bodies are ways to use an instruction that are valid, whatever it takes from the stack, for each instruction that
// there is: alone with its immediates all zero, which are indexes, constants, or further instructions (0 is
// unreachable); as one that needs an end, an if or a block; and with immediates of its own.
func bodies(instruction []byte) [][]byte {
	zeros := make([]byte, 20)
	return [][]byte{
		bytes.Join([][]byte{{opUnreachable}, instruction, zeros, {opEnd}}, nil),
		bytes.Join([][]byte{{opUnreachable}, instruction, zeros, {opEnd, opEnd}}, nil),
		bytes.Join([][]byte{{opUnreachable, opIf, empty}, instruction, {opEnd, opEnd}}, nil),
		bytes.Join([][]byte{{opUnreachable, opBlock, empty}, instruction, {opEnd}}, nil),
		bytes.Join([][]byte{{opUnreachable}, instruction, {1, I32, opUnreachable, opEnd}}, nil),
		bytes.Join([][]byte{{opUnreachable}, instruction, {funcref, opUnreachable, opEnd}}, nil),
	}
}

// around returns a module with that code, and one of each thing that an index can name.
func around(code []byte) []byte {
	body := append([]byte{1, 1, I32}, code...)
	out := bytes.Clone(header)
	out = appendSection(out, sectionType, []byte{1, 0x60, 0, 0})
	out = appendSection(out, sectionFunction, []byte{1, 0})
	out = appendSection(out, sectionTable, []byte{1, funcref, 0, 1})
	out = appendSection(out, sectionMemory, []byte{1, 0, 1})
	out = appendSection(out, sectionGlobal, []byte{1, I32, 1, opI32Const, 0, opEnd})
	out = appendSection(out, sectionElement, []byte{1, elementPassive, kindFunctions, 1, 0})
	out = appendSection(out, sectionDataCount, []byte{1})
	out = appendSection(out, sectionCode, append(binary.AppendUvarint([]byte{1}, uint64(len(body))), body...))
	return appendSection(out, sectionData, []byte{1, dataPassive, 0})
}

// The engine, with its features set to [Features], has exactly the instructions that this package reads and writes. So
// no new version of it gets an instruction that is not metered, and it accepts and refuses the same uses of them.
func TestTheEngineHasTheInstructionsOfThisPackage(t *testing.T) {
	engine := wazero.NewRuntimeWithConfig(t.Context(), wazero.NewRuntimeConfigInterpreter().WithCoreFeatures(Features))
	defer engine.Close(t.Context())
	compiles := func(wasm []byte) bool {
		m, err := engine.CompileModule(t.Context(), wasm)
		if err == nil {
			m.Close(t.Context())
		}
		return err == nil
	}
	check := func(name string, instruction ...byte) {
		had := false
		for _, body := range bodies(instruction) {
			wasm := around(body)
			original, metered := compiles(wasm), false
			f, err := Parse(wasm)
			if err != nil {
				t.Fatal(err)
			}
			out, err := f.Metered(1)
			if err == nil {
				metered = compiles(out)
			}
			if original != metered {
				t.Errorf("%x in %x: the engine accepts the original: %v; metered: %v (%v)", instruction, body, original, metered, err)
			}
			had = had || original
		}
		if had != (name != "") {
			t.Errorf("the engine has %x: %v; its name here is %q", instruction, had, name)
		}
	}
	for op := range 256 {
		switch op {
		case 0xfb, opPrefixMisc, 0xfd, 0xfe:
			for sub := range 256 {
				name := ""
				if op == opPrefixMisc {
					name = miscOpcodes[sub].name
				}
				check(name, binary.AppendUvarint([]byte{byte(op)}, uint64(sub))...)
				check(name, byte(op), byte(sub)|0x80, byte(sub>>7)) // the same, padded if it is short
			}
		default:
			check(opcodes[op].name, byte(op))
		}
	}
}

// What is written of an instruction is the shortest encoding, whatever it was read from, and is read as the same.
func TestNumbersAreReadPaddedAndWrittenShort(t *testing.T) {
	for _, c := range []struct{ read, written string }{
		{"\x41\x80\x80\x80\x80\x00", "\x41\x00"},
		{"\x41\xff\xff\xff\xff\x7f", "\x41\x7f"},
		{"\x41\x80\x80\x80\x80\x78", "\x41\x80\x80\x80\x80\x78"}, // the least of 32 bits
		{"\x42\xff\xff\xff\xff\xff\xff\xff\xff\xff\x7f", "\x42\x7f"},
		{"\x42\xbf\x7f", "\x42\xbf\x7f"},
		{"\x02\x80\x80\x80\x80\x00", "\x02\x00"},
		{"\x28\x82\x00\xff\xff\xff\xff\x0f", "\x28\x02\xff\xff\xff\xff\x0f"},
		{"\x0e\x81\x00\x80\x80\x00\x80\x00", "\x0e\x01\x00\x00"},
		{"\xfc\x8b\x80\x80\x80\x00\x00", "\xfc\x0b\x00"},
		{"\x43\x01\x00\xa0\x7f", "\x43\x01\x00\xa0\x7f"}, // a signalling NaN
	} {
		r := reader{data: []byte(c.read), spaces: &spaces{spaceType: 1, spaceMemory: 1}}
		var in instruction
		r.instruction(&in)
		if got := in.append(nil); r.err != nil || !r.done() || string(got) != c.written {
			t.Errorf("%x is written as %x, want %x (%v)", c.read, got, c.written, r.err)
		}
	}
}

func ExampleFormatError() {
	_, err := Parse([]byte("\x00asm\x01\x00\x00\x00\x05\x04\x01\x03\x00\x01"))
	fmt.Println(strings.ReplaceAll(err.Error(), "; ", "\n"))
	// Output:
	// WebAssembly that this host does not run: memory that is shared between threads at byte 11
	// build for WebAssembly 2.0 without SIMD
}
