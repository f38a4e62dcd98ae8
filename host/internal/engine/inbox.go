package engine

import (
	"sync"

	"bytes"
	"fmt"
	"strconv"
	"unicode/utf8"

	"github.com/hermes-cdp/hermes-cdp/host/internal/cdp"
)

// maxConsoleBytes bounds the console events that wait for a connection's owner. A page can make them faster than anybody reads.
const maxConsoleBytes = 8 << 20

// inbox is the queue in front of a connection's owner. Putting never waits, so the reader of the connection never does.
//
// What a page logs is shortened before it waits, and dropped and counted over a bound. Nothing else ever is: neither a dialog,
// a frame nor a reply can be done without, and of these a page has few at a time.
type inbox struct {
	mu      sync.Mutex
	items   []any
	spare   []any
	console int    // bytes of console events that wait
	dropped uint64 // console events, since the beginning
	ready   chan struct{}
}

func newInbox() *inbox { return &inbox{ready: make(chan struct{}, 1)} }

func (b *inbox) put(item any) {
	b.mu.Lock()
	b.items = append(b.items, item)
	b.mu.Unlock()
	b.tell()
}

// putMessage puts what a browser said.
func (b *inbox) putMessage(m cdp.Message) {
	if m.ID != 0 || !consoleEvents[m.Method] {
		b.put(m)
		return
	}
	m.Params = shortenStrings(m.Params, maxConsoleString)
	b.mu.Lock()
	if b.console+len(m.Params) > maxConsoleBytes {
		b.dropped++
		b.mu.Unlock()
		return
	}
	b.console += len(m.Params)
	b.items = append(b.items, m)
	b.mu.Unlock()
	b.tell()
}

func (b *inbox) tell() {
	select {
	case b.ready <- struct{}{}:
	default:
	}
}

// len is how many items wait.
func (b *inbox) len() int {
	b.mu.Lock()
	defer b.mu.Unlock()
	return len(b.items)
}

// droppedEvents is how many console events were dropped.
func (b *inbox) droppedEvents() uint64 {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.dropped
}

// take returns all that waits; the slice is the owner's until the next take.
func (b *inbox) take() []any {
	b.mu.Lock()
	defer b.mu.Unlock()
	clear(b.spare)
	b.items, b.spare = b.spare[:0], b.items
	b.console = 0
	return b.spare
}

// consoleEvents bring what a page logs: as much as it likes.
var consoleEvents = map[string]bool{"Runtime.consoleAPICalled": true, "Runtime.exceptionThrown": true}

// maxConsoleString is where a string of a console event is cut before anything is decoded: an entry that is one string is then
// not cut once more.
const maxConsoleString = maxConsoleText - 64

// shortenStrings cuts the strings of a JSON text that are longer than limit, in bytes as they are encoded, and says in each how
// much was left out. What is no JSON stays as it is, for the decoder to refuse.
func shortenStrings(raw []byte, limit int) []byte {
	if len(raw) <= limit {
		return raw
	}
	var out []byte
	done := 0 // how much of raw is in out, or was left out
	for i := bytes.IndexByte(raw, '"'); i >= 0; {
		cut, end, more := scanString(raw, i+1, limit)
		if end < 0 {
			return raw
		}
		if cut > 0 {
			out = fmt.Appendf(append(out, raw[done:cut]...), "… (%d bytes more)", more)
			done = end
		}
		next := bytes.IndexByte(raw[end+1:], '"')
		if next < 0 {
			break
		}
		i = end + 1 + next
	}
	if out == nil {
		return raw
	}
	return append(out, raw[done:]...)
}

// scanString finds the closing quote of a string that begins at start; -1 where there is none. Where the string is longer than
// limit, cut is where to cut it, between two characters, and more how many bytes come after that when they are decoded.
func scanString(raw []byte, start, limit int) (cut, end, more int) {
	for i := start; i < len(raw); {
		if cut == 0 && i-start >= limit && utf8.RuneStart(raw[i]) && raw[i] != '"' {
			cut = i
		}
		length, size := 1, 1
		switch {
		case raw[i] == '"':
			return cut, i, more
		case raw[i] == '\\' && i+5 < len(raw) && raw[i+1] == 'u':
			length, size = 6, escapedSize(raw[i+2:i+6])
		case raw[i] == '\\':
			length = 2
		}
		if cut > 0 {
			more += size
		}
		i += length
	}
	return 0, -1, 0
}

// escapedSize is how many bytes of UTF-8 a \u escape stands for. Each half of a surrogate pair is half of four.
func escapedSize(hex []byte) int {
	r, err := strconv.ParseUint(string(hex), 16, 16)
	switch {
	case err != nil || r < 0x80:
		return 1
	case r < 0x800 || r >= 0xd800 && r < 0xe000:
		return 2
	default:
		return 3
	}
}
