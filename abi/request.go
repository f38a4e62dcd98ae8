package abi

// Append appends the encoded event to dst.
func (m *RequestEvent) Append(dst []byte) []byte {
	dst = appendHeader(dst, &m.Header)
	dst = appendString(dst, 2, m.URL)
	dst = appendBytes(dst, 3, m.URLSHA256)
	dst = appendString(dst, 4, m.Origin)
	dst = appendString(dst, 5, m.Method)
	dst = appendString(dst, 6, m.ResourceType)
	for i := range m.Headers {
		var body int
		dst, body = beginMessage(dst, 7)
		dst = endMessage(m.Headers[i].Append(dst), body)
	}
	dst = appendString(dst, 8, m.FrameID)
	dst = appendInt(dst, 9, int64(m.FrameKind))
	dst = appendString(dst, 10, m.FromURL)
	dst = appendString(dst, 11, m.FromOrigin)
	dst = appendString(dst, 12, m.TopOrigin)
	dst = appendString(dst, 13, m.TargetID)
	dst = appendString(dst, 14, m.TargetType)
	dst = appendBool(dst, 15, m.Popup)
	return appendBool(dst, 16, m.Redirected)
}

// Unmarshal replaces m with a copy of what src encodes, or with the zero value if the error is not nil.
func (m *RequestEvent) Unmarshal(src []byte) error {
	*m = RequestEvent{}
	d := newDecoder(src)
	m.decode(&d)
	return finish(m, &d)
}

// UnmarshalAlias is Unmarshal without copies: m points into src, and reuses what it allocated before.
func (m *RequestEvent) UnmarshalAlias(src []byte) error {
	*m = RequestEvent{Header: m.Header.emptied(), Headers: m.Headers[:0]}
	d := newAliasDecoder(src)
	m.decode(&d)
	return finish(m, &d)
}

func (m *RequestEvent) decode(d *decoder) {
	for d.next() {
		switch d.field {
		case 1:
			d.header(&m.Header)
		case 2:
			d.string(&m.URL)
		case 3:
			d.bytes(&m.URLSHA256)
		case 4:
			d.string(&m.Origin)
		case 5:
			d.string(&m.Method)
		case 6:
			d.string(&m.ResourceType)
		case 7:
			if outer, ok := d.enter(); ok {
				m.Headers = append(m.Headers, HTTPHeader{})
				m.Headers[len(m.Headers)-1].decode(d)
				d.leave(outer)
			}
		default:
			m.decodePlace(d)
		}
	}
}

// decodePlace decodes the fields that say where the request comes from.
func (m *RequestEvent) decodePlace(d *decoder) {
	switch d.field {
	case 8:
		d.string(&m.FrameID)
	case 9:
		decodeEnum(d, &m.FrameKind)
	case 10:
		d.string(&m.FromURL)
	case 11:
		d.string(&m.FromOrigin)
	case 12:
		d.string(&m.TopOrigin)
	case 13:
		d.string(&m.TargetID)
	case 14:
		d.string(&m.TargetType)
	case 15:
		d.bool(&m.Popup)
	case 16:
		d.bool(&m.Redirected)
	default:
		d.skip()
	}
}

// Append appends the encoded verdict to dst.
func (m *RequestVerdict) Append(dst []byte) []byte {
	dst = appendInt(dst, 1, int64(m.Action))
	dst = appendString(dst, 2, m.Reason)
	return appendString(dst, 3, m.Rule)
}

// Unmarshal replaces m with a copy of what src encodes, or with the zero value if the error is not nil.
func (m *RequestVerdict) Unmarshal(src []byte) error {
	*m = RequestVerdict{}
	d := newDecoder(src)
	m.decode(&d)
	return finish(m, &d)
}

func (m *RequestVerdict) decode(d *decoder) {
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
