package abi

// Append appends the encoded header to dst.
func (m *Header) Append(dst []byte) []byte {
	dst = appendUint(dst, 1, m.Sequence)
	dst = appendInt(dst, 2, m.TimeUnixNano)
	dst = appendString(dst, 3, m.TaskID)
	dst = appendUint(dst, 4, m.Revision)
	dst = appendBytes(dst, 5, m.RandomSeed)
	return appendStruct(dst, 6, m.TaskConfig)
}

// Unmarshal replaces m with a copy of what src encodes, or with the zero value if the error is not nil.
func (m *Header) Unmarshal(src []byte) error {
	*m = Header{}
	d := newDecoder(src)
	m.decode(&d)
	return finish(m, &d)
}

func (m *Header) decode(d *decoder) {
	for d.next() {
		switch d.field {
		case 1:
			d.uint(&m.Sequence)
		case 2:
			d.int(&m.TimeUnixNano)
		case 3:
			d.string(&m.TaskID)
		case 4:
			d.uint(&m.Revision)
		case 5:
			d.bytes(&m.RandomSeed)
		case 6:
			d.object(&m.TaskConfig)
		default:
			d.skip()
		}
	}
}

// emptied returns an empty header that keeps the slices of m, for UnmarshalAlias.
func (m *Header) emptied() Header { return Header{TaskConfig: m.TaskConfig[:0]} }

// appendHeader appends the header as field 1 of an event, unless it is empty.
func appendHeader(dst []byte, m *Header) []byte {
	start := len(dst)
	dst, body := beginMessage(dst, 1)
	dst = m.Append(dst)
	if len(dst) == body {
		return dst[:start]
	}
	return endMessage(dst, body)
}

func (d *decoder) header(m *Header) {
	if outer, ok := d.enter(); ok {
		m.decode(d)
		d.leave(outer)
	}
}
