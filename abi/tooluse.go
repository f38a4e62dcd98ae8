package abi

// Append appends the encoded event to dst.
func (m *ToolUseEvent) Append(dst []byte) []byte {
	dst = appendHeader(dst, &m.Header)
	dst = appendString(dst, 2, m.Tool)
	dst = appendString(dst, 3, m.Source)
	dst = appendStruct(dst, 4, m.Arguments)
	dst = appendString(dst, 5, m.TargetID)
	dst = appendString(dst, 6, m.URL)
	dst = appendString(dst, 7, m.Origin)
	dst = appendString(dst, 8, m.Client)
	dst = appendBool(dst, 9, m.ReadOnly)
	dst = appendBool(dst, 10, m.Destructive)
	dst = appendString(dst, 11, m.Text)
	dst = appendStruct(dst, 12, m.Structured)
	dst = appendBool(dst, 13, m.IsError)
	return appendUint(dst, 14, uint64(m.Pictures))
}

// Unmarshal replaces m with a copy of what src encodes, or with the zero value if the error is not nil.
func (m *ToolUseEvent) Unmarshal(src []byte) error {
	*m = ToolUseEvent{}
	d := newDecoder(src)
	m.decode(&d)
	return finish(m, &d)
}

// UnmarshalAlias is Unmarshal without copies: m points into src, and reuses what it allocated before.
func (m *ToolUseEvent) UnmarshalAlias(src []byte) error {
	*m = ToolUseEvent{Header: m.Header.emptied(), Arguments: m.Arguments[:0], Structured: m.Structured[:0]}
	d := newAliasDecoder(src)
	m.decode(&d)
	return finish(m, &d)
}

func (m *ToolUseEvent) decode(d *decoder) {
	for d.next() {
		switch d.field {
		case 1:
			d.header(&m.Header)
		case 2:
			d.string(&m.Tool)
		case 3:
			d.string(&m.Source)
		case 4:
			d.object(&m.Arguments)
		case 5:
			d.string(&m.TargetID)
		case 6:
			d.string(&m.URL)
		case 7:
			d.string(&m.Origin)
		case 8:
			d.string(&m.Client)
		case 9:
			d.bool(&m.ReadOnly)
		case 10:
			d.bool(&m.Destructive)
		default:
			m.decodeResult(d)
		}
	}
}

// decodeResult decodes the fields that only hermes_after_tool gets.
func (m *ToolUseEvent) decodeResult(d *decoder) {
	switch d.field {
	case 11:
		d.string(&m.Text)
	case 12:
		d.object(&m.Structured)
	case 13:
		d.bool(&m.IsError)
	case 14:
		d.uint32(&m.Pictures)
	default:
		d.skip()
	}
}

// Append appends the encoded verdict to dst.
func (m *ToolVerdict) Append(dst []byte) []byte {
	dst = appendInt(dst, 1, int64(m.Action))
	dst = appendString(dst, 2, m.Reason)
	dst = appendString(dst, 3, m.Rule)
	dst = appendStruct(dst, 4, m.Arguments)
	dst = appendString(dst, 5, m.Text)
	dst = appendStruct(dst, 6, m.Structured)
	return appendBool(dst, 7, m.DropPictures)
}

// Unmarshal replaces m with a copy of what src encodes, or with the zero value if the error is not nil.
func (m *ToolVerdict) Unmarshal(src []byte) error {
	*m = ToolVerdict{}
	d := newDecoder(src)
	m.decode(&d)
	return finish(m, &d)
}

func (m *ToolVerdict) decode(d *decoder) {
	for d.next() {
		switch d.field {
		case 1:
			decodeEnum(d, &m.Action)
		case 2:
			d.string(&m.Reason)
		case 3:
			d.string(&m.Rule)
		case 4:
			d.object(&m.Arguments)
		case 5:
			d.string(&m.Text)
		case 6:
			d.object(&m.Structured)
		case 7:
			d.bool(&m.DropPictures)
		default:
			d.skip()
		}
	}
}
