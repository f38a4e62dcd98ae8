package decode

import (
	"bytes"
	"fmt"
	"strconv"
	"unicode/utf8"
)

// maxString is the length at which [Shorten] cuts a string. It is less than [MaxText], so that an entry that consists
// of one string is not cut twice.
const maxString = MaxText - 64

// Shorten cuts long strings in the parameters of an event before these are kept and decoded, and notes in each how much
// was left out.
func Shorten(params []byte) []byte { return shortenStrings(params, maxString) }

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
