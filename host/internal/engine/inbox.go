package engine

import (
	"bytes"
	"fmt"
	"strconv"
	"sync"
	"unicode/utf8"

	"github.com/hermes-cdp/hermes-cdp/host/internal/cdp"
	"github.com/hermes-cdp/hermes-cdp/host/internal/engine/decode"
	"github.com/hermes-cdp/hermes-cdp/host/internal/engine/netlog"
)

// The events that wait for the owner of a connection are bounded where a page makes as many as it likes: it can log,
// and send requests, faster than anybody reads.
const (
	maxConsoleBytes = 8 << 20
	maxNetworkBytes = 8 << 20
)

// inbox is the queue in front of the owner of a connection. Putting never blocks, so the reader of the connection never
// does either.
//
// Events of the console and of the network are shortened before they are queued, and dropped and counted above a bound
// of each. Nothing else is ever dropped: no dialog, frame or reply is dispensable, and a page has few of these at a
// time.
type inbox struct {
	mu      sync.Mutex
	items   []any
	spare   []any
	console bulk
	network bulk
	ready   chan struct{}
}

// bulk counts the queued events of a kind.
type bulk struct {
	bytes   int
	dropped uint64 // events, since the start
}

func newInbox() *inbox { return &inbox{ready: make(chan struct{}, 1)} }

func (b *inbox) put(item any) {
	b.mu.Lock()
	b.items = append(b.items, item)
	b.mu.Unlock()
	b.signal()
}

// putMessage puts a message of the browser.
func (b *inbox) putMessage(m cdp.Message) {
	of, limit := &b.console, maxConsoleBytes
	switch {
	case m.ID == 0 && consoleEvents[m.Method]:
	case m.ID == 0 && netlog.Logs(m.Method):
		of, limit = &b.network, maxNetworkBytes
	default:
		b.put(m)
		return
	}
	m.Params = shortenStrings(m.Params, maxConsoleString)
	b.mu.Lock()
	if of.bytes+len(m.Params) > limit {
		of.dropped++
		b.mu.Unlock()
		return
	}
	of.bytes += len(m.Params)
	b.items = append(b.items, m)
	b.mu.Unlock()
	b.signal()
}

func (b *inbox) signal() {
	select {
	case b.ready <- struct{}{}:
	default:
	}
}

// len returns the number of queued items.
func (b *inbox) len() int {
	b.mu.Lock()
	defer b.mu.Unlock()
	return len(b.items)
}

// droppedEvents returns the number of dropped events of the console and of the network.
func (b *inbox) droppedEvents() (console, network uint64) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.console.dropped, b.network.dropped
}

// take returns all queued items; the slice belongs to the caller until the next take.
func (b *inbox) take() []any {
	b.mu.Lock()
	defer b.mu.Unlock()
	clear(b.spare)
	b.items, b.spare = b.spare[:0], b.items
	b.console.bytes, b.network.bytes = 0, 0
	return b.spare
}

// consoleEvents carry what a page logs; their size and number are up to the page.
var consoleEvents = map[string]bool{"Runtime.consoleAPICalled": true, "Runtime.exceptionThrown": true, "Log.entryAdded": true}

// maxConsoleString is the length at which a string of a console event is cut before decoding. It is less than
// [decode.MaxText], so that an entry that consists of one string is not cut twice.
const maxConsoleString = decode.MaxText - 64

// shortenStrings cuts the strings of a JSON text that are longer than limit, in encoded bytes, and notes in each how
// much was left out. Malformed JSON is returned unchanged, for the decoder to reject.
func shortenStrings(raw []byte, limit int) []byte {
	if len(raw) <= limit {
		return raw
	}
	var out []byte
	done := 0 // how much of raw was copied to out or left out
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

// scanString returns the index of the closing quote of the string that begins at start; -1 if there is none. If the
// string is longer than limit, cut is the index to cut it at, between two characters, and more the number of decoded
// bytes after that.
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

// escapedSize returns the number of UTF-8 bytes that a \u escape stands for. Each half of a surrogate pair counts for
// two of its four bytes.
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
