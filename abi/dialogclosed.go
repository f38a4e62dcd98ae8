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

// Unmarshal replaces m by the decoded src, from which everything is copied. The error is a [*DecodeError]; m is then
// the zero value.
func (m *DialogClosedEvent) Unmarshal(src []byte) error {
	*m = DialogClosedEvent{}
	return m.unmarshal(newDecoder(src))
}

// UnmarshalAlias is Unmarshal without copies: strings and bytes of m point into src, which must not change while m is
// in use, and what m had allocated is used again.
func (m *DialogClosedEvent) UnmarshalAlias(src []byte) error {
	m.Header.reset()
	*m = DialogClosedEvent{Header: m.Header}
	d := newDecoder(src)
	d.alias = true
	return m.unmarshal(d)
}

func (m *DialogClosedEvent) unmarshal(d decoder) error {
	if m.decode(&d); d.err != nil {
		*m = DialogClosedEvent{}
	}
	return d.result()
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
