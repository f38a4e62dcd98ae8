package upstream

import (
	"strings"
	"sync"
)

// tailSize limits how much of a server's output is kept, in bytes.
const tailSize = 4 << 10

// tail keeps the end of what is written to it and passes on its lines.
type tail struct {
	line func(string)

	mu   sync.Mutex
	kept []byte
	part []byte // the unfinished last line
}

// Write never fails: problems with the log must not hold up a server.
func (t *tail) Write(p []byte) (int, error) {
	t.mu.Lock()
	t.kept = append(t.kept, p...)
	t.kept = t.kept[max(0, len(t.kept)-tailSize):]
	t.part = append(t.part, p...)
	lines := strings.Split(string(t.part), "\n")
	last := lines[len(lines)-1]
	if len(last) > tailSize { // too long to wait for its end
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

// lastLine returns the last line that is not empty.
func (t *tail) lastLine() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	lines := strings.Split(strings.TrimSpace(string(t.kept)), "\n")
	return strings.TrimSpace(lines[len(lines)-1])
}
