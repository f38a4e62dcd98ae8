package engine

import (
	"bytes"
	"fmt"
	"strconv"
	"unicode/utf8"
)

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
