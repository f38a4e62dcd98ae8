package engine

import (
	"strconv"
	"sync"
)

// tabHandles gives tabs their handles. The zero value is ready.
type tabHandles struct {
	mu     sync.Mutex
	last   int
	handle map[string]int
}

// of gives a tab its handle, the same each time, and never that of another. None is forgotten: a caller may still have it.
func (h *tabHandles) of(target string) string {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.handle == nil {
		h.handle = map[string]int{}
	}
	number, ok := h.handle[target]
	if !ok {
		h.last++
		number = h.last
		h.handle[target] = number
	}
	return "t" + strconv.Itoa(number)
}

// count is the highest number of a handle.
func (h *tabHandles) count() int {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.last
}
