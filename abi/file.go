package abi

// Append appends the encoded event to dst.
func (m *FileEvent) Append(dst []byte) []byte {
	dst = appendHeader(dst, &m.Header)
	dst = appendString(dst, 2, m.TargetID)
	dst = appendString(dst, 3, m.URL)
	dst = appendString(dst, 4, m.Origin)
	dst = appendString(dst, 5, m.TopOrigin)
	dst = appendString(dst, 6, m.Name)
	dst = appendString(dst, 7, m.MediaType)
	dst = appendUint(dst, 8, m.Size)
	return appendBool(dst, 9, m.Complete)
}

// Unmarshal replaces m with a copy of what src encodes, or with the zero value if the error is not nil.
func (m *FileEvent) Unmarshal(src []byte) error {
	*m = FileEvent{}
	d := newDecoder(src)
	m.decode(&d)
	return finish(m, &d)
}

// UnmarshalAlias is Unmarshal without copies: m points into src, and reuses what it allocated before.
func (m *FileEvent) UnmarshalAlias(src []byte) error {
	*m = FileEvent{Header: m.Header.emptied()}
	d := newAliasDecoder(src)
	m.decode(&d)
	return finish(m, &d)
}

func (m *FileEvent) decode(d *decoder) {
	for d.next() {
		switch d.field {
		case 1:
			d.header(&m.Header)
		case 2:
			d.string(&m.TargetID)
		case 3:
			d.string(&m.URL)
		case 4:
			d.string(&m.Origin)
		case 5:
			d.string(&m.TopOrigin)
		case 6:
			d.string(&m.Name)
		case 7:
			d.string(&m.MediaType)
		case 8:
			d.uint(&m.Size)
		case 9:
			d.bool(&m.Complete)
		default:
			d.skip()
		}
	}
}

// Append appends the encoded verdict to dst.
func (m *FileVerdict) Append(dst []byte) []byte {
	dst = appendInt(dst, 1, int64(m.Action))
	dst = appendString(dst, 2, m.Reason)
	return appendString(dst, 3, m.Rule)
}

// Unmarshal replaces m with a copy of what src encodes, or with the zero value if the error is not nil.
func (m *FileVerdict) Unmarshal(src []byte) error {
	*m = FileVerdict{}
	d := newDecoder(src)
	m.decode(&d)
	return finish(m, &d)
}

func (m *FileVerdict) decode(d *decoder) {
	for d.next() {
		switch d.field {
		case 1:
			decodeEnum(d, &m.Action)
		case 2:
			d.string(&m.Reason)
		case 3:
			d.string(&m.Rule)
		default:
			d.skip()
		}
	}
}
