package abi

// Append appends the encoded event to dst.
func (m *BridgeScriptEvent) Append(dst []byte) []byte {
	dst = appendHeader(dst, &m.Header)
	dst = appendString(dst, 2, m.PauseToken)
	return appendString(dst, 3, m.RequestToken)
}

// Unmarshal replaces m with a copy of what src encodes, or with the zero value if the error is not nil.
func (m *BridgeScriptEvent) Unmarshal(src []byte) error {
	*m = BridgeScriptEvent{}
	d := newDecoder(src)
	m.decode(&d)
	return finish(m, &d)
}

// UnmarshalAlias is Unmarshal without copies: m points into src, and reuses what it allocated before.
func (m *BridgeScriptEvent) UnmarshalAlias(src []byte) error {
	*m = BridgeScriptEvent{Header: m.Header.emptied()}
	d := newAliasDecoder(src)
	m.decode(&d)
	return finish(m, &d)
}

func (m *BridgeScriptEvent) decode(d *decoder) {
	for d.next() {
		switch d.field {
		case 1:
			d.header(&m.Header)
		case 2:
			d.string(&m.PauseToken)
		case 3:
			d.string(&m.RequestToken)
		default:
			d.skip()
		}
	}
}

// Append appends the encoded message to dst.
func (m *BridgeScript) Append(dst []byte) []byte {
	dst = appendString(dst, 1, m.Source)
	dst = appendString(dst, 2, m.SourceURL)
	dst = appendString(dst, 3, m.PauseExpression)
	for _, s := range m.RequestPatterns {
		dst = appendStringAlways(dst, 4, s)
	}
	return appendString(dst, 5, m.Rule)
}

// Unmarshal replaces m with a copy of what src encodes, or with the zero value if the error is not nil.
func (m *BridgeScript) Unmarshal(src []byte) error {
	*m = BridgeScript{}
	d := newDecoder(src)
	m.decode(&d)
	return finish(m, &d)
}

func (m *BridgeScript) decode(d *decoder) {
	for d.next() {
		switch d.field {
		case 1:
			d.string(&m.Source)
		case 2:
			d.string(&m.SourceURL)
		case 3:
			d.string(&m.PauseExpression)
		case 4:
			d.strings(&m.RequestPatterns)
		case 5:
			d.string(&m.Rule)
		default:
			d.skip()
		}
	}
}
