package browser

import (
	"io"
	"strings"
	"sync"
)

// tailSize is how much of the output of a browser is kept, in bytes.
const tailSize = 8 << 10

// tail keeps the end of what is written to it and passes everything on.
type tail struct {
	next io.Writer // may be nil

	mu   sync.Mutex
	kept []byte
}

// Write never fails: a full disk behind next must not stop the browser.
func (t *tail) Write(p []byte) (int, error) {
	t.mu.Lock()
	t.kept = append(t.kept, p...)
	if over := len(t.kept) - tailSize; over > 0 {
		t.kept = append(t.kept[:0], t.kept[over:]...)
	}
	t.mu.Unlock()
	if t.next != nil {
		_, _ = t.next.Write(p)
	}
	return len(p), nil
}

// String returns what was kept, without an incomplete first line.
func (t *tail) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	text := string(t.kept)
	if len(t.kept) == tailSize {
		_, text, _ = strings.Cut(text, "\n")
	}
	return strings.TrimSpace(text)
}
