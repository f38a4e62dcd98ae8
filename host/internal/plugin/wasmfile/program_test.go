package wasmfile

import (
	"context"
	"encoding/binary"
	"fmt"
	"slices"
	"testing"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"
	"pgregory.net/rapid"
)

// program makes valid modules with all that the metering has to follow: nested blocks, loops and ifs, branches out of
// them, tables of branches, calls, recursion and bulk instructions. They may run forever.
type program struct {
	t         *rapid.T
	functions int
	body      []byte
	labels    []byte // of the enclosing blocks: opLoop or opBlock
	left      int    // statements to spend
}

const (
	programLocals = 4    // of type i32, one of them the parameter
	empty         = 0x40 // the type of a block without a result
)

// module returns a module that exports its functions, of type (i32) -> i32, as f0, f1 and so on, its memory as "memory"
// and its table of functions.
func (p *program) module() []byte {
	p.functions = rapid.IntRange(1, 4).Draw(p.t, "functions")
	types := []byte{1, 0x60, 1, I32, 1, I32}
	var declared, exports, code, elements []byte
	exports = append(appendName(exports, "memory"), byte(KindMemory), 0)
	for n := range p.functions {
		declared = append(declared, 0)
		exports = append(appendName(exports, fmt.Sprintf("f%d", n)), byte(KindFunc), byte(n))
		elements = append(elements, byte(n))
		body := p.function()
		code = append(binary.AppendUvarint(code, uint64(len(body))), body...)
	}
	count := byte(p.functions)
	out := append([]byte{}, header...)
	out = appendSection(out, sectionType, types)
	out = appendSection(out, sectionFunction, append([]byte{count}, declared...))
	out = appendSection(out, sectionTable, []byte{1, 0x70, 1, count, 8})
	out = appendSection(out, sectionMemory, []byte{1, 1, 1, 4})
	out = appendSection(out, sectionExport, append([]byte{count + 1}, exports...))
	out = appendSection(out, sectionElement, append([]byte{1, 0, opI32Const, 0, opEnd, count}, elements...))
	out = appendSection(out, sectionDataCount, []byte{1})
	out = appendSection(out, sectionCode, append([]byte{count}, code...))
	return appendSection(out, sectionData, append([]byte{1, 1, 8}, "12345678"...))
}

func (p *program) function() []byte {
	p.body = []byte{1, programLocals - 1, I32}
	p.labels = append(p.labels[:0], opBlock)
	p.left = rapid.IntRange(1, 30).Draw(p.t, "statements")
	// The function's own label wants a result, so branches to it go to a block around everything.
	p.emit(opBlock, empty)
	p.statements()
	p.emit(opEnd, opLocalGet, 0, opEnd)
	return p.body
}

func (p *program) emit(code ...byte) { p.body = append(p.body, code...) }

func (p *program) draw(n int, what string) byte { return byte(rapid.IntRange(0, n-1).Draw(p.t, what)) }

func (p *program) local() byte { return p.draw(programLocals, "local") }

func (p *program) statements() {
	for n := p.draw(6, "length") + 1; n > 0 && p.left > 0; n-- {
		p.left--
		p.statement()
	}
}

func (p *program) nested(opcode, label byte) {
	p.emit(opcode, empty)
	p.labels = append(p.labels, label)
	p.statements()
	if opcode == opIf && rapid.Bool().Draw(p.t, "else") {
		p.emit(opElse)
		p.statements()
	}
	p.labels = p.labels[:len(p.labels)-1]
	p.emit(opEnd)
}

func (p *program) statement() {
	depth := func() byte { return p.draw(len(p.labels), "depth") }
	switch p.draw(15, "statement") {
	case 0:
		p.nested(opBlock, opBlock)
	case 1:
		p.nested(opLoop, opLoop)
	case 2:
		p.emit(opLocalGet, p.local())
		p.nested(opIf, opBlock)
	case 3: // a loop that counts down
		at := p.local()
		p.emit(opLoop, empty)
		p.labels = append(p.labels, opLoop)
		p.statements()
		p.emit(opLocalGet, at, opI32Const, 1, 0x6b, opLocalTee, at, opBrIf, 0)
		p.labels = p.labels[:len(p.labels)-1]
		p.emit(opEnd)
	case 4:
		p.emit(opBr, depth())
	case 5:
		p.emit(opLocalGet, p.local(), opBrIf, depth())
	case 6:
		p.emit(opLocalGet, p.local(), opBrTable)
		n := p.draw(4, "targets")
		p.emit(n)
		for range n + 1 {
			p.emit(depth())
		}
	case 7:
		p.emit(opLocalGet, p.local(), opReturn)
	case 8:
		p.emit(opLocalGet, p.local(), opCall, p.draw(p.functions, "callee"), 0x21, p.local())
	case 9:
		p.emit(opLocalGet, p.local(), opLocalGet, p.local(), opCallIndirect, 0, 0, 0x21, p.local())
	case 10:
		p.bulk()
	case 11:
		p.emit(opLocalGet, p.local(), opMemoryGrow, 0, 0x21, p.local())
	case 12: // table.grow
		p.emit(0xd0, 0x70, opLocalGet, p.local(), opPrefixMisc, miscTableGrow, 0, 0x21, p.local())
	case 13: // i32.store8 at an address that mostly exists, of a sum
		p.emit(opLocalGet, p.local(), opI32Const, 0xff, 0x0f, 0x71, opLocalGet, p.local(), 0x3a, 0, 0)
	default:
		p.emit(opLocalGet, p.local(), opLocalGet, p.local(), 0x6a, opI32Const, p.draw(64, "constant"), 0x6a, 0x21, p.local())
	}
}

func (p *program) bulk() {
	length := []byte{opI32Const, p.draw(64, "length")}
	if rapid.Bool().Draw(p.t, "variable length") {
		length = []byte{opLocalGet, p.local()}
	}
	operands := append([]byte{opI32Const, 0, opI32Const, 0}, length...)
	switch p.draw(5, "bulk") {
	case 0:
		p.emit(append(operands, opPrefixMisc, miscMemoryFill, 0)...)
	case 1:
		p.emit(append(operands, opPrefixMisc, miscMemoryCopy, 0, 0)...)
	case 2:
		p.emit(append(operands, opPrefixMisc, miscMemoryInit, 0, 0)...)
	case 3:
		p.emit(append(operands, opPrefixMisc, miscTableCopy, 0, 0)...)
	default:
		p.emit(opI32Const, 0, opRefFunc, p.draw(p.functions, "reference"))
		p.emit(append(length, opPrefixMisc, miscTableFill, 0)...)
	}
}

// outOfFuel ends a guest from the import that it calls for more.
type outOfFuel struct{}

func (outOfFuel) Error() string { return "out of fuel" }

// rations lets a guest have so many units, a thousand at a time.
type rations struct{ left int64 }

func (r *rations) next() int64 {
	if r.left <= 0 {
		panic(outOfFuel{})
	}
	r.left -= 1000
	return 1000
}

// bench runs the variants of one module.
type bench struct {
	runtimes [4]wazero.Runtime
	fuel     [4]rations
}

func newBench(t *testing.T) *bench {
	b := &bench{}
	for n := range b.runtimes {
		b.runtimes[n] = wazero.NewRuntimeWithConfig(t.Context(), wazero.NewRuntimeConfigCompiler().WithCoreFeatures(Features))
		t.Cleanup(func() { _ = b.runtimes[n].Close(t.Context()) })
		refueled(t, b.runtimes[n], b.fuel[n].next)
	}
	return b
}

// outcome is all that a call does which can be seen.
type outcome struct {
	results []uint64
	failed  bool
	memory  []byte
	used    int64
}

// testT is a test, or a property that is checked.
type testT interface {
	Fatalf(format string, args ...any)
	Context() context.Context
}

func (b *bench) run(t testT, n int, wasm []byte, fuel int64) outcome {
	m, err := b.runtimes[n].InstantiateWithConfig(t.Context(), wasm, wazero.NewModuleConfig().WithName(""))
	if err != nil {
		t.Fatalf("the module is not valid: %v", err)
	}
	defer m.Close(t.Context())
	b.fuel[n].left = fuel
	results, err := m.ExportedFunction("f0").Call(t.Context(), 7)
	memory, _ := m.Memory().Read(0, m.Memory().Size())
	o := outcome{results: results, failed: err != nil, memory: slices.Clone(memory)}
	if g, ok := m.ExportedGlobal(FuelExport).(api.MutableGlobal); ok {
		o.used = fuel - b.fuel[n].left - int64(g.Get())
	}
	return o
}

// A branch out of a loop passes over what follows the loop. Where each instruction pays for itself, nobody pays for
// that.
func TestAnInstructionThatPaysForItselfPaysWhenItIsExecuted(t *testing.T) {
	code := []byte{
		opBlock, empty, opLoop, empty, opLocalGet, 1, opIf, empty, opElse, opLocalGet, 0, opBrTable, 0, 2, opEnd, opEnd,
		opLocalGet, 0, opMemoryGrow, 0, 0x21, 0, opEnd, opLocalGet, 0, opEnd,
	}
	body := append([]byte{1, programLocals - 1, I32}, code...)
	out := append([]byte{}, header...)
	out = appendSection(out, sectionType, []byte{1, 0x60, 1, I32, 1, I32})
	out = appendSection(out, sectionFunction, []byte{1, 0})
	out = appendSection(out, sectionMemory, []byte{1, 1, 1, 4})
	out = appendSection(out, sectionExport, append(append([]byte{2}, append(appendName(nil, "memory"), byte(KindMemory), 0)...), append(appendName(nil, "f0"), byte(KindFunc), 0)...))
	out = appendSection(out, sectionCode, append([]byte{1, byte(len(body))}, body...))
	file, err := Parse(out)
	if err != nil {
		t.Fatal(err)
	}
	binaries, err := variants(file, out)
	if err != nil {
		t.Fatal(err)
	}
	b := newBench(t)
	if o := b.run(t, 3, binaries[3], 1000); o.failed || o.used != 5 {
		t.Errorf("charged %d for 5 instructions, failed %v", o.used, o.failed)
	}
}

// Every program ends by its fuel. One that ends by itself does what the original does, and has paid for at least what
// it executed. The original runs only then.
func TestMeteredProgramsEndAndDoWhatTheOriginalsDo(t *testing.T) {
	b := newBench(t)
	ended, stopped := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		p := program{t: t}
		wasm := p.module()
		file, err := Parse(wasm)
		if err != nil {
			t.Fatal(err)
		}
		binaries, err := variants(file, wasm)
		if err != nil {
			t.Fatal(err)
		}
		const fuel = 200_000
		metered := b.run(t, 1, binaries[1], fuel)
		if metered.failed && b.fuel[1].left <= 0 {
			stopped++
			return
		}
		ended++
		original, paying, exact := b.run(t, 0, wasm, 0), b.run(t, 2, binaries[2], fuel), b.run(t, 3, binaries[3], fuel)
		for _, o := range []outcome{original, paying, exact} {
			if !slices.Equal(o.results, metered.results) || o.failed != metered.failed || !slices.Equal(o.memory, metered.memory) {
				t.Fatalf("metered it gives %v, %v; otherwise %v, %v", metered.results, metered.failed, o.results, o.failed)
			}
		}
		if paying.used < exact.used || metered.used < exact.used-costLeaf {
			t.Fatalf("charged %d and %d for what costs %d", metered.used, paying.used, exact.used)
		}
	})
	if ended == 0 || stopped == 0 {
		t.Errorf("%d programs ended and %d were stopped", ended, stopped)
	}
}
