package plugin

import "github.com/tetratelabs/wazero/experimental"

// linearMemory is the memory of one instance. It replaces wazero's own page limit, which refuses growth without a
// trace, so that a guest that fails because of it could not be told from one with any other trap.
type linearMemory struct {
	limit   uint64 // bytes
	buffer  []byte
	refused bool // the guest asked for more than the limit
}

// touchBytes is the smallest page size that systems have.
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
		// A quarter of slack avoids most of the copies for a guest that grows page by page.
		grown := make([]byte, size, min(m.limit, size+size/4))
		copy(grown, m.buffer)
		m.buffer = grown
	}
	m.buffer = m.buffer[:size]
	// The system allocates memory when it is first touched, which takes some 8 ms for 16 MiB. Here that does not block
	// the process, but in the middle of an instruction of the guest it would.
	for at := old; at < size; at += touchBytes {
		m.buffer[at] = 0
	}
	return m.buffer
}

// Free implements experimental.LinearMemory.
func (m *linearMemory) Free() { m.buffer = nil }
