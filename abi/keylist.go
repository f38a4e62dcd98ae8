package abi

// Append appends the encoded list to dst.
func (m *KeyList) Append(dst []byte) []byte {
	for _, key := range m.Keys {
		dst = appendStringAlways(dst, 1, key)
	}
	return dst
}

// Unmarshal replaces m with a copy of what src encodes, or with the zero value if the error is not nil.
func (m *KeyList) Unmarshal(src []byte) error {
	*m = KeyList{}
	d := newDecoder(src)
	m.decode(&d)
	return finish(m, &d)
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
