package upstream

import (
	"strings"
	"sync"
)

// tailSize is how much of what a server prints is kept, in bytes.
const tailSize = 4 << 10

// tail keeps the end of what is written to it, and passes on its lines.
type tail struct {
	line func(string)

	mu   sync.Mutex
	kept []byte
	part []byte // of a line that has not ended
}

// Write never fails: a server is not held up by what becomes of its log.
func (t *tail) Write(p []byte) (int, error) {
	t.mu.Lock()
	t.kept = append(t.kept, p...)
	t.kept = t.kept[max(0, len(t.kept)-tailSize):]
	t.part = append(t.part, p...)
	lines := strings.Split(string(t.part), "\n")
	last := lines[len(lines)-1]
	if len(last) > tailSize { // no end is waited for
		lines, last = append(lines, ""), ""
	}
	t.part = []byte(last)
	t.mu.Unlock()
	for _, line := range lines[:len(lines)-1] {
		if line = strings.TrimSpace(line); line != "" {
			t.line(line)
		}
	}
	return len(p), nil
}

// lastLine is the last line that is not empty.
func (t *tail) lastLine() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	lines := strings.Split(strings.TrimSpace(string(t.kept)), "\n")
	return strings.TrimSpace(lines[len(lines)-1])
}
