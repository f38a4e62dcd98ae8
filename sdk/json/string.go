package json

import (
	"unicode/utf8"
	"unsafe"
)

// string reads a string in quotes.
func (r *reader) string() string {
	r.pos++
	start := r.pos
	var out []byte // the string before copied, with its escapes replaced
	copied := start
	for r.pos < len(r.text) {
		switch b := r.text[r.pos]; {
		case b == '"':
			out = append(out, r.text[copied:r.pos]...)
			r.pos++
			return r.valid(out, start)
		case b == '\\':
			out = r.escape(append(out, r.text[copied:r.pos]...))
			copied = r.pos
		case b < ' ':
			r.fail(r.pos, "a control character in a text; want an escape")
		default:
			r.pos++
		}
		if r.err != nil {
			return ""
		}
	}
	r.fail(r.pos, "the text has no end")
	return ""
}

// valid converts the bytes of a string, which nobody else holds, without a copy.
func (r *reader) valid(text []byte, start int) string {
	if !utf8.Valid(text) {
		r.fail(start, "the text is not UTF-8")
		return ""
	}
	return unsafe.String(unsafe.SliceData(text), len(text))
}

// escape reads one escape, or the two of a surrogate pair.
func (r *reader) escape(out []byte) []byte {
	r.pos++
	b := r.peek()
	r.pos++
	switch b {
	case '"', '\\', '/':
		return append(out, b)
	case 'b':
		return append(out, '\b')
	case 'f':
		return append(out, '\f')
	case 'n':
		return append(out, '\n')
	case 'r':
		return append(out, '\r')
	case 't':
		return append(out, '\t')
	case 'u':
		return utf8.AppendRune(out, r.unicode())
	}
	r.fail(r.pos-2, "an unknown escape")
	return out
}

// unicode reads the digits after \u, and the second half of a surrogate pair. Half a pair becomes U+FFFD, and what
// follows it is read as usual.
func (r *reader) unicode() rune {
	first, ok := r.hex(r.pos)
	if !ok {
		r.fail(r.pos, "want four hexadecimal digits")
		return utf8.RuneError
	}
	r.pos += 4
	if first < 0xd800 || first > 0xdfff {
		return first
	}
	if first < 0xdc00 && r.pos+6 <= len(r.text) && r.text[r.pos] == '\\' && r.text[r.pos+1] == 'u' {
		if second, ok := r.hex(r.pos + 2); ok && second >= 0xdc00 && second <= 0xdfff {
			r.pos += 6
			return 0x10000 + (first-0xd800)<<10 + (second - 0xdc00)
		}
	}
	return utf8.RuneError
}

// hex reads four hexadecimal digits at an offset.
func (r *reader) hex(at int) (value rune, ok bool) {
	if at+4 > len(r.text) {
		return 0, false
	}
	for _, b := range []byte(r.text[at : at+4]) {
		value <<= 4
		switch {
		case b >= '0' && b <= '9':
			value += rune(b - '0')
		case b >= 'a' && b <= 'f':
			value += rune(b-'a') + 10
		case b >= 'A' && b <= 'F':
			value += rune(b-'A') + 10
		default:
			return 0, false
		}
	}
	return value, true
}
