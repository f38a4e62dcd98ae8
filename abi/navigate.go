package abi

// Append appends the encoded event to dst.
func (m *NavigateEvent) Append(dst []byte) []byte {
	dst = appendHeader(dst, &m.Header)
	dst = appendString(dst, 2, m.URL)
	dst = appendString(dst, 3, m.Origin)
	dst = appendString(dst, 4, m.Method)
	dst = appendString(dst, 5, m.FrameID)
	dst = appendString(dst, 6, m.ParentFrameID)
	dst = appendInt(dst, 7, int64(m.FrameKind))
	dst = appendString(dst, 8, m.TargetID)
	dst = appendBool(dst, 9, m.Popup)
	dst = appendString(dst, 10, m.FromURL)
	dst = appendString(dst, 11, m.FromOrigin)
	dst = appendString(dst, 12, m.TopOrigin)
	dst = appendUint(dst, 13, uint64(m.Redirects))
	return appendString(dst, 14, m.RedirectedFrom)
}

// Unmarshal replaces m with a copy of what src encodes, or with the zero value if the error is not nil.
func (m *NavigateEvent) Unmarshal(src []byte) error {
	*m = NavigateEvent{}
	d := newDecoder(src)
	m.decode(&d)
	return finish(m, &d)
}

// UnmarshalAlias is Unmarshal without copies: m points into src, and reuses what it allocated before.
func (m *NavigateEvent) UnmarshalAlias(src []byte) error {
	*m = NavigateEvent{Header: m.Header.emptied()}
	d := newAliasDecoder(src)
	m.decode(&d)
	return finish(m, &d)
}

func (m *NavigateEvent) decode(d *decoder) {
	for d.next() {
		switch d.field {
		case 1:
			d.header(&m.Header)
		case 2:
			d.string(&m.URL)
		case 3:
			d.string(&m.Origin)
		case 4:
			d.string(&m.Method)
		case 5:
			d.string(&m.FrameID)
		case 6:
			d.string(&m.ParentFrameID)
		case 7:
			decodeEnum(d, &m.FrameKind)
		case 8:
			d.string(&m.TargetID)
		case 9:
			d.bool(&m.Popup)
		case 10:
			d.string(&m.FromURL)
		case 11:
			d.string(&m.FromOrigin)
		case 12:
			d.string(&m.TopOrigin)
		case 13:
			d.uint32(&m.Redirects)
		case 14:
			d.string(&m.RedirectedFrom)
		default:
			d.skip()
		}
	}
}

// Append appends the encoded verdict to dst.
func (m *NavigateVerdict) Append(dst []byte) []byte {
	dst = appendInt(dst, 1, int64(m.Action))
	dst = appendString(dst, 2, m.URL)
	dst = appendString(dst, 3, m.Reason)
	return appendString(dst, 4, m.Rule)
}

// Unmarshal replaces m with a copy of what src encodes, or with the zero value if the error is not nil.
func (m *NavigateVerdict) Unmarshal(src []byte) error {
	*m = NavigateVerdict{}
	d := newDecoder(src)
	m.decode(&d)
	return finish(m, &d)
}

func (m *NavigateVerdict) decode(d *decoder) {
	for d.next() {
		switch d.field {
		case 1:
			decodeEnum(d, &m.Action)
		case 2:
			d.string(&m.URL)
		case 3:
			d.string(&m.Reason)
		case 4:
			d.string(&m.Rule)
		default:
			d.skip()
		}
	}
}
