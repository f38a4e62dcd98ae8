package abi

// Append appends the encoded event to dst.
func (m *BridgeScriptEvent) Append(dst []byte) []byte {
	dst = appendHeader(dst, &m.Header)
	dst = appendString(dst, 2, m.PauseToken)
	return appendString(dst, 3, m.RequestToken)
}

// Unmarshal replaces m by the decoded src, from which everything is copied. The error is a [*DecodeError]; m is then
// the zero value.
func (m *BridgeScriptEvent) Unmarshal(src []byte) error {
	*m = BridgeScriptEvent{}
	return m.unmarshal(newDecoder(src))
}

// UnmarshalAlias is Unmarshal without copies: strings and bytes of m point into src, which must not change while m is
// in use, and what m had allocated is used again. A guest decodes one event after the other without garbage by it.
func (m *BridgeScriptEvent) UnmarshalAlias(src []byte) error {
	m.Header.reset()
	*m = BridgeScriptEvent{Header: m.Header}
	d := newDecoder(src)
	d.alias = true
	return m.unmarshal(d)
}

func (m *BridgeScriptEvent) unmarshal(d decoder) error {
	if m.decode(&d); d.err != nil {
		*m = BridgeScriptEvent{}
	}
	return d.result()
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

// Unmarshal replaces m by the decoded src, from which everything is copied. The error is a [*DecodeError]; m is then
// the zero value.
func (m *BridgeScript) Unmarshal(src []byte) error {
	*m = BridgeScript{}
	d := newDecoder(src)
	if m.decode(&d); d.err != nil {
		*m = BridgeScript{}
	}
	return d.result()
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
