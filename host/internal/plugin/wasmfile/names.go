package wasmfile

import "encoding/binary"

// The subsections of the name section that the engine uses in stack traces.
// See https://webassembly.github.io/spec/core/appendix/custom.html#name-section.
const (
	nameSection   = "name"
	namesModule   = 0
	namesFunction = 1
)

// names returns the useful subsections of a name section, up to the first malformed one, with the indexes of functions
// moved.
func names(section []byte, moved func(uint32) uint32) []byte {
	r := &reader{data: section}
	var out []byte
	for !r.done() {
		id := r.byte()
		content := r.sub(r.u32())
		if r.err != nil {
			break
		}
		var anew []byte
		switch id {
		case namesModule:
			anew = appendName(nil, content.name())
		case namesFunction:
			anew = functionNames(content, moved)
		default:
			continue
		}
		if content.err != nil || !content.done() {
			break
		}
		out = appendSection(out, id, anew)
	}
	return out
}

func functionNames(r *reader, moved func(uint32) uint32) []byte {
	n := r.count()
	out := binary.AppendUvarint(nil, uint64(n))
	for range n {
		if r.err != nil {
			break
		}
		out = appendIndex(out, moved(r.u32()))
		out = appendName(out, r.name())
	}
	return out
}
