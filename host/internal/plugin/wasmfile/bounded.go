package wasmfile

import "fmt"

// The engine allocates what a vector's length announces before it reads the elements: 22 bytes can make it ask for more
// memory than the machine has, which ends the process. So every length of the binary is compared here with the bytes
// that are there, before the engine sees it. What the sections mean is left to the engine.

// maxLocals is the most locals that a function may have; browsers have the same limit.
const maxLocals = 50_000

// sectionOrder is the place of each section id: the specification wants the sections in this order, each at most once.
// The engine accepts others, and would then see another module than this package.
var sectionOrder = [...]int{sectionType: 1, sectionImport: 2, sectionFunction: 3, sectionTable: 4, sectionMemory: 5,
	sectionTag: 6, sectionGlobal: 7, sectionExport: 8, sectionStart: 9, sectionElement: 10, sectionDataCount: 11,
	sectionCode: 12, sectionData: 13}

func skipGlobal(r *reader) struct{} {
	r.byte() // type
	r.byte() // mutability
	r.skipExpression()
	return struct{}{}
}

// skipElement passes over an element segment.
// See https://webassembly.github.io/spec/core/binary/modules.html#element-section.
func skipElement(r *reader) struct{} {
	flags := r.u32()
	if flags > 7 {
		r.fail(fmt.Sprintf("an element segment with flags %d", flags))
		return struct{}{}
	}
	active, explicit, expressions := flags&1 == 0, flags&2 != 0, flags&4 != 0
	if active {
		if explicit {
			r.u32() // table
		}
		r.skipExpression() // offset
	}
	if !active || explicit {
		r.byte() // element kind or reference type
	}
	for range r.count() {
		if expressions {
			r.skipExpression()
		} else {
			r.function(r.pos)
		}
		if r.err != nil {
			break
		}
	}
	return struct{}{}
}

// skipData passes over a data segment.
// See https://webassembly.github.io/spec/core/binary/modules.html#data-section.
func skipData(r *reader) struct{} {
	flags := r.u32()
	if flags > 2 {
		r.fail(fmt.Sprintf("a data segment with flags %d", flags))
		return struct{}{}
	}
	if flags == 2 {
		r.u32() // memory
	}
	if flags != 1 {
		r.skipExpression() // offset
	}
	r.bytes(r.u32())
	return struct{}{}
}

func skipTag(r *reader) struct{} {
	r.byte()
	r.u32()
	return struct{}{}
}

// skipExpression passes over a constant expression: instructions up to the first end, since it has no blocks.
func (r *reader) skipExpression() {
	var in instruction
	for r.err == nil {
		from := r.pos + 1
		r.instruction(&in)
		switch in.opcode {
		case opEnd:
			return
		case opRefFunc:
			r.pos = from
			r.function(from)
		}
	}
}

// locals passes over the declarations of a function's locals and returns how many there are.
func (r *reader) locals() uint32 {
	var sum uint64
	for range r.count() {
		sum += r.leb(32)
		if t := ValueType(r.byte()); r.err == nil && (t < 0x6f || t > I32) {
			r.fail(fmt.Sprintf("a local of type %v", t))
		}
		if sum > maxLocals {
			r.fail(fmt.Sprintf("a function with %d locals or more; %d are allowed", sum, maxLocals))
		}
		if r.err != nil {
			return 0
		}
	}
	return uint32(sum)
}

// The subsections of the name section that the engine shows in the stack of a trap.
// See https://webassembly.github.io/spec/core/appendix/custom.html#name-section.
const (
	nameSection   = "name"
	namesModule   = 0
	namesFunction = 1
)

// names returns the subsections of a name section that are worth keeping, up to the first that is not well formed, with
// the indexes of functions moved.
func names(section []byte, moved func(uint32) uint32) []byte {
	r := &reader{data: section}
	var out []byte
	for !r.done() {
		id := r.byte()
		content := r.sub(r.u32())
		if r.err != nil {
			break
		}
		switch id {
		case namesModule:
			content.name()
		case namesFunction:
			content.references = []reference{}
			for range content.count() {
				content.function(content.pos)
				content.name()
				if content.err != nil {
					break
				}
			}
		default:
			continue
		}
		if content.err != nil || !content.done() {
			break
		}
		out = appendSection(out, id, content.moved(moved))
	}
	return out
}
