package plugin

import "github.com/tetratelabs/wazero/experimental"

// linearMemory is the memory of one instance. It replaces wazero's own page limit, because that one refuses to grow
// without a trace, and a guest that then dies of it could not be told from one with any other trap.
type linearMemory struct {
	limit   uint64 // bytes
	buffer  []byte
	refused bool // the guest asked for more than the limit
}

// touchBytes is the smallest page of memory that systems have.
const touchBytes = 4 << 10

// Allocate implements experimental.MemoryAllocator.
func (m *linearMemory) Allocate(_, _ uint64) experimental.LinearMemory { return m }

// Reallocate implements experimental.LinearMemory: nil makes memory.grow return -1 in the guest.
func (m *linearMemory) Reallocate(size uint64) []byte {
	if size > m.limit {
		m.refused = true
		return nil
	}
	old := uint64(len(m.buffer))
	if size > uint64(cap(m.buffer)) {
		// A quarter of slack spares a guest that grows page by page most of the copies.
		grown := make([]byte, size, min(m.limit, size+size/4))
		copy(grown, m.buffer)
		m.buffer = grown
	}
	m.buffer = m.buffer[:size]
	// The system gives memory when it is first touched, which takes some 8 ms for 16 MiB. Done here, it does not hold up
	// the process; in the middle of a guest's instruction it would.
	for at := old; at < size; at += touchBytes {
		m.buffer[at] = 0
	}
	return m.buffer
}

// Free implements experimental.LinearMemory.
func (m *linearMemory) Free() { m.buffer = nil }
