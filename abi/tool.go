package abi

// Append appends the encoded event to dst.
func (m *ToolCallEvent) Append(dst []byte) []byte {
	dst = appendHeader(dst, &m.Header)
	dst = appendString(dst, 2, m.Tool)
	dst = appendStruct(dst, 3, m.Arguments)
	dst = appendString(dst, 4, m.TargetID)
	dst = appendString(dst, 5, m.URL)
	dst = appendString(dst, 6, m.Origin)
	return appendString(dst, 7, m.Page)
}

// Unmarshal replaces m with a copy of what src encodes, or with the zero value if the error is not nil.
func (m *ToolCallEvent) Unmarshal(src []byte) error {
	*m = ToolCallEvent{}
	d := newDecoder(src)
	m.decode(&d)
	return finish(m, &d)
}

// UnmarshalAlias is Unmarshal without copies: m points into src, and reuses what it allocated before.
func (m *ToolCallEvent) UnmarshalAlias(src []byte) error {
	*m = ToolCallEvent{Header: m.Header.emptied(), Arguments: m.Arguments[:0]}
	d := newAliasDecoder(src)
	m.decode(&d)
	return finish(m, &d)
}

func (m *ToolCallEvent) decode(d *decoder) {
	for d.next() {
		switch d.field {
		case 1:
			d.header(&m.Header)
		case 2:
			d.string(&m.Tool)
		case 3:
			d.object(&m.Arguments)
		case 4:
			d.string(&m.TargetID)
		case 5:
			d.string(&m.URL)
		case 6:
			d.string(&m.Origin)
		case 7:
			d.string(&m.Page)
		default:
			d.skip()
		}
	}
}

// Append appends the encoded result to dst.
func (m *ToolResult) Append(dst []byte) []byte {
	dst = appendString(dst, 1, m.Text)
	dst = appendStruct(dst, 2, m.Structured)
	return appendBool(dst, 3, m.IsError)
}

// Unmarshal replaces m with a copy of what src encodes, or with the zero value if the error is not nil.
func (m *ToolResult) Unmarshal(src []byte) error {
	*m = ToolResult{}
	d := newDecoder(src)
	m.decode(&d)
	return finish(m, &d)
}

func (m *ToolResult) decode(d *decoder) {
	for d.next() {
		switch d.field {
		case 1:
			d.string(&m.Text)
		case 2:
			d.object(&m.Structured)
		case 3:
			d.bool(&m.IsError)
		default:
			d.skip()
		}
	}
}
