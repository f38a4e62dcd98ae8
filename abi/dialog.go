package abi

// Append appends the encoded event to dst.
func (m *DialogEvent) Append(dst []byte) []byte {
	dst = appendHeader(dst, &m.Header)
	dst = appendString(dst, 2, m.DialogID)
	dst = appendInt(dst, 3, int64(m.Type))
	dst = appendString(dst, 4, m.Message)
	dst = appendString(dst, 5, m.DefaultPrompt)
	dst = appendString(dst, 6, m.URL)
	dst = appendString(dst, 7, m.Origin)
	dst = appendString(dst, 8, m.FrameID)
	dst = appendInt(dst, 9, int64(m.FrameKind))
	dst = appendString(dst, 10, m.TargetID)
	dst = appendBool(dst, 11, m.Popup)
	dst = appendString(dst, 12, m.Policy)
	return appendInt(dst, 13, m.TimeoutMs)
}

// Unmarshal replaces m with a copy of what src encodes, or with the zero value if the error is not nil.
func (m *DialogEvent) Unmarshal(src []byte) error {
	*m = DialogEvent{}
	d := newDecoder(src)
	m.decode(&d)
	return finish(m, &d)
}

// UnmarshalAlias is Unmarshal without copies: m points into src, and reuses what it allocated before.
func (m *DialogEvent) UnmarshalAlias(src []byte) error {
	*m = DialogEvent{Header: m.Header.emptied()}
	d := newAliasDecoder(src)
	m.decode(&d)
	return finish(m, &d)
}

func (m *DialogEvent) decode(d *decoder) {
	for d.next() {
		switch d.field {
		case 1:
			d.header(&m.Header)
		case 2:
			d.string(&m.DialogID)
		case 3:
			decodeEnum(d, &m.Type)
		case 4:
			d.string(&m.Message)
		case 5:
			d.string(&m.DefaultPrompt)
		case 6:
			d.string(&m.URL)
		case 7:
			d.string(&m.Origin)
		case 8:
			d.string(&m.FrameID)
		case 9:
			decodeEnum(d, &m.FrameKind)
		case 10:
			d.string(&m.TargetID)
		case 11:
			d.bool(&m.Popup)
		case 12:
			d.string(&m.Policy)
		case 13:
			d.int(&m.TimeoutMs)
		default:
			d.skip()
		}
	}
}

// Append appends the encoded verdict to dst. Text is written only if HasText is set.
func (m *DialogVerdict) Append(dst []byte) []byte {
	dst = appendInt(dst, 1, int64(m.Action))
	if m.HasText {
		dst = appendStringAlways(dst, 2, m.Text)
	}
	dst = appendInt(dst, 3, m.TimeoutMs)
	dst = appendString(dst, 4, m.Rule)
	return appendBool(dst, 5, m.Final)
}

// Unmarshal replaces m with a copy of what src encodes, or with the zero value if the error is not nil.
func (m *DialogVerdict) Unmarshal(src []byte) error {
	*m = DialogVerdict{}
	d := newDecoder(src)
	m.decode(&d)
	return finish(m, &d)
}

func (m *DialogVerdict) decode(d *decoder) {
	for d.next() {
		switch d.field {
		case 1:
			decodeEnum(d, &m.Action)
		case 2:
			if d.string(&m.Text) {
				m.HasText = true
			}
		case 3:
			d.int(&m.TimeoutMs)
		case 4:
			d.string(&m.Rule)
		case 5:
			d.bool(&m.Final)
		default:
			d.skip()
		}
	}
}
