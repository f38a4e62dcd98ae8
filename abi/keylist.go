package abi

// Append appends the encoded list to dst.
func (m *KeyList) Append(dst []byte) []byte {
	for _, key := range m.Keys {
		dst = appendStringAlways(dst, 1, key)
	}
	return dst
}

// Unmarshal replaces m by the decoded src, from which everything is copied. The error is a [*DecodeError]; m is then
// the zero value.
func (m *KeyList) Unmarshal(src []byte) error {
	*m = KeyList{}
	d := newDecoder(src)
	if m.decode(&d); d.err != nil {
		*m = KeyList{}
	}
	return d.result()
}

func (m *KeyList) decode(d *decoder) {
	for d.next() {
		switch d.field {
		case 1:
			d.strings(&m.Keys)
		default:
			d.skip()
		}
	}
}
