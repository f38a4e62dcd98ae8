package abi

// Append appends the encoded event to dst.
func (m *DialogClosedEvent) Append(dst []byte) []byte {
	dst = appendHeader(dst, &m.Header)
	dst = appendString(dst, 2, m.DialogID)
	dst = appendInt(dst, 3, int64(m.Type))
	dst = appendInt(dst, 4, int64(m.ClosedBy))
	dst = appendBool(dst, 5, m.Accepted)
	dst = appendString(dst, 6, m.Text)
	return appendInt(dst, 7, m.OpenNanos)
}

// Unmarshal replaces m with a copy of what src encodes, or with the zero value if the error is not nil.
func (m *DialogClosedEvent) Unmarshal(src []byte) error {
	*m = DialogClosedEvent{}
	d := newDecoder(src)
	m.decode(&d)
	return finish(m, &d)
}

// UnmarshalAlias is Unmarshal without copies: m points into src, and reuses what it allocated before.
func (m *DialogClosedEvent) UnmarshalAlias(src []byte) error {
	*m = DialogClosedEvent{Header: m.Header.emptied()}
	d := newAliasDecoder(src)
	m.decode(&d)
	return finish(m, &d)
}

func (m *DialogClosedEvent) decode(d *decoder) {
	for d.next() {
		switch d.field {
		case 1:
			d.header(&m.Header)
		case 2:
			d.string(&m.DialogID)
		case 3:
			decodeEnum(d, &m.Type)
		case 4:
			decodeEnum(d, &m.ClosedBy)
		case 5:
			d.bool(&m.Accepted)
		case 6:
			d.string(&m.Text)
		case 7:
			d.int(&m.OpenNanos)
		default:
			d.skip()
		}
	}
}
