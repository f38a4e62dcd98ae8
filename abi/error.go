package abi

// DecodeError says why bytes are not a message of this ABI. The sender is at fault: for the host, the module.
type DecodeError struct {
	Field  int    // the number of the field being read, in the innermost message; 0 if its tag could not be read
	Offset int    // where reading stopped, in the bytes given to Unmarshal
	Reason string // what is wrong there
}

// Error names field, offset and reason.
func (e *DecodeError) Error() string {
	b := append([]byte(nil), "abi: cannot decode "...)
	if e.Field != 0 {
		b = appendDecimal(append(b, "field "...), e.Field)
	} else {
		b = append(b, "a tag"...)
	}
	b = appendDecimal(append(b, " at byte "...), e.Offset)
	return string(append(append(b, ": "...), e.Reason...))
}

// appendDecimal replaces strconv, which costs a guest 25 KB.
func appendDecimal(dst []byte, n int) []byte {
	if n < 0 {
		dst, n = append(dst, '-'), -n
	}
	var digits [20]byte
	i := len(digits)
	for {
		i--
		digits[i] = byte('0' + n%10)
		if n /= 10; n == 0 {
			return append(dst, digits[i:]...)
		}
	}
}
