package abi

// Append appends the encoded event to dst.
func (m *ConsoleEvent) Append(dst []byte) []byte {
	dst = appendHeader(dst, &m.Header)
	dst = appendString(dst, 2, m.Type)
	dst = appendString(dst, 3, m.From)
	dst = appendString(dst, 4, m.Text)
	dst = appendString(dst, 5, m.Source)
	dst = appendString(dst, 6, m.TargetID)
	dst = appendString(dst, 7, m.TargetType)
	return appendString(dst, 8, m.TopOrigin)
}

// Unmarshal replaces m with a copy of what src encodes, or with the zero value if the error is not nil.
func (m *ConsoleEvent) Unmarshal(src []byte) error {
	*m = ConsoleEvent{}
	d := newDecoder(src)
	m.decode(&d)
	return finish(m, &d)
}

// UnmarshalAlias is Unmarshal without copies: m points into src, and reuses what it allocated before.
func (m *ConsoleEvent) UnmarshalAlias(src []byte) error {
	*m = ConsoleEvent{Header: m.Header.emptied()}
	d := newAliasDecoder(src)
	m.decode(&d)
	return finish(m, &d)
}

func (m *ConsoleEvent) decode(d *decoder) {
	for d.next() {
		switch d.field {
		case 1:
			d.header(&m.Header)
		case 2:
			d.string(&m.Type)
		case 3:
			d.string(&m.From)
		case 4:
			d.string(&m.Text)
		case 5:
			d.string(&m.Source)
		case 6:
			d.string(&m.TargetID)
		case 7:
			d.string(&m.TargetType)
		case 8:
			d.string(&m.TopOrigin)
		default:
			d.skip()
		}
	}
}

// Append appends the encoded verdict to dst.
func (m *ConsoleVerdict) Append(dst []byte) []byte {
	dst = appendInt(dst, 1, int64(m.Action))
	dst = appendString(dst, 2, m.Text)
	return appendString(dst, 3, m.Rule)
}

// Unmarshal replaces m with a copy of what src encodes, or with the zero value if the error is not nil.
func (m *ConsoleVerdict) Unmarshal(src []byte) error {
	*m = ConsoleVerdict{}
	d := newDecoder(src)
	m.decode(&d)
	return finish(m, &d)
}

func (m *ConsoleVerdict) decode(d *decoder) {
	for d.next() {
		switch d.field {
		case 1:
			decodeEnum(d, &m.Action)
		case 2:
			d.string(&m.Text)
		case 3:
			d.string(&m.Rule)
		default:
			d.skip()
		}
	}
}
