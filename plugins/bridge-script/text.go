package main

import "unicode/utf8"

const hexDigits = "0123456789abcdef"

func hex(b []byte) string {
	out := make([]byte, 0, 2*len(b))
	for _, c := range b {
		out = append(out, hexDigits[c>>4], hexDigits[c&15])
	}
	return string(out)
}

// quoted returns a JavaScript string literal. It escapes whatever could end the literal, or a line; U+2028 and U+2029
// end a line in older versions of the language.
//
// https://tc39.es/ecma262/#sec-literals-string-literals
func quoted(s string) string {
	dst := append(make([]byte, 0, len(s)+2), '"')
	for _, r := range s {
		switch {
		case r == '"' || r == '\\':
			dst = append(dst, '\\', byte(r))
		case r < 0x20 || r == 0x7f || r == 0x2028 || r == 0x2029:
			dst = append(dst, '\\', 'u', hexDigits[r>>12&15], hexDigits[r>>8&15], hexDigits[r>>4&15], hexDigits[r&15])
		default:
			dst = utf8.AppendRune(dst, r)
		}
	}
	return string(append(dst, '"'))
}

// unescape reverses encodeURIComponent; ok is false for an incomplete escape, and for invalid UTF-8.
func unescape(s string) (_ string, ok bool) {
	out := make([]byte, 0, len(s))
	for i := 0; i < len(s); i++ {
		c := s[i]
		if c != '%' {
			out = append(out, c)
			continue
		}
		if i+2 >= len(s) {
			return "", false
		}
		high, okHigh := nibble(s[i+1])
		low, okLow := nibble(s[i+2])
		if !okHigh || !okLow {
			return "", false
		}
		out = append(out, high<<4|low)
		i += 2
	}
	return string(out), utf8.Valid(out)
}

func nibble(c byte) (byte, bool) {
	switch {
	case c >= '0' && c <= '9':
		return c - '0', true
	case c >= 'A' && c <= 'F':
		return c - 'A' + 10, true
	case c >= 'a' && c <= 'f':
		return c - 'a' + 10, true
	}
	return 0, false
}

// fieldCount is how many fields a request has: token, type, message, default text, key, and why it is suppressed.
const fieldCount = 6

// split reads the fields of a request, each of which has its length in UTF-16 code units before it.
func split(s string) (fields [fieldCount]string, ok bool) {
	for i := range fields {
		if fields[i], s, ok = cutField(s); !ok {
			return fields, false
		}
	}
	return fields, s == ""
}

// maxDigits is enough for the length of any field.
const maxDigits = 7

func cutField(s string) (field, rest string, ok bool) {
	units, i := 0, 0
	for i < len(s) && i < maxDigits && s[i] >= '0' && s[i] <= '9' {
		units = units*10 + int(s[i]-'0')
		i++
	}
	if i == 0 || i == len(s) || s[i] != ':' || i > 1 && s[0] == '0' {
		return "", "", false
	}
	s = s[i+1:]
	end := 0
	for units > 0 {
		if end == len(s) {
			return "", "", false
		}
		r, size := utf8.DecodeRuneInString(s[end:])
		end += size
		units--
		if r > 0xffff {
			units--
		}
	}
	return s[:end], s[end:], units == 0
}
