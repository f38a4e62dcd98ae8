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

// Unmarshal replaces m by the decoded src, from which everything is copied. The error is a [*DecodeError]; m is then
// the zero value.
func (m *Header) Unmarshal(src []byte) error {
	*m = Header{}
	d := newDecoder(src)
	if m.decode(&d); d.err != nil {
		*m = Header{}
	}
	return d.result()
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

// reset empties m and keeps what it has allocated, for the next UnmarshalAlias.
func (m *Header) reset() { *m = Header{TaskConfig: m.TaskConfig[:0]} }

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
