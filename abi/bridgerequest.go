package abi

// Append appends the encoded event to dst.
func (m *BridgeRequestEvent) Append(dst []byte) []byte {
	dst = appendHeader(dst, &m.Header)
	dst = appendInt(dst, 2, int64(m.Via))
	dst = appendString(dst, 3, m.Payload)
	dst = appendString(dst, 4, m.Method)
	dst = appendString(dst, 5, m.Body)
	dst = appendString(dst, 6, m.FrameURL)
	return appendString(dst, 7, m.Origin)
}

// Unmarshal replaces m by the decoded src, from which everything is copied. The error is a [*DecodeError]; m is then
// the zero value.
func (m *BridgeRequestEvent) Unmarshal(src []byte) error {
	*m = BridgeRequestEvent{}
	return m.unmarshal(newDecoder(src))
}

// UnmarshalAlias is Unmarshal without copies: strings and bytes of m point into src, which must not change while m is
// in use, and what m had allocated is used again. A guest decodes one event after the other without garbage by it.
func (m *BridgeRequestEvent) UnmarshalAlias(src []byte) error {
	m.Header.reset()
	*m = BridgeRequestEvent{Header: m.Header}
	d := newDecoder(src)
	d.alias = true
	return m.unmarshal(d)
}

func (m *BridgeRequestEvent) unmarshal(d decoder) error {
	if m.decode(&d); d.err != nil {
		*m = BridgeRequestEvent{}
	}
	return d.result()
}

func (m *BridgeRequestEvent) decode(d *decoder) {
	for d.next() {
		switch d.field {
		case 1:
			d.header(&m.Header)
		case 2:
			decodeEnum(d, &m.Via)
		case 3:
			d.string(&m.Payload)
		case 4:
			d.string(&m.Method)
		case 5:
			d.string(&m.Body)
		case 6:
			d.string(&m.FrameURL)
		case 7:
			d.string(&m.Origin)
		default:
			d.skip()
		}
	}
}

// Append appends the encoded message to dst.
func (m *BridgeRequest) Append(dst []byte) []byte {
	dst = appendString(dst, 1, m.Token)
	dst = appendInt(dst, 2, int64(m.Type))
	dst = appendString(dst, 3, m.Message)
	dst = appendString(dst, 4, m.DefaultPrompt)
	dst = appendString(dst, 5, m.Key)
	return appendInt(dst, 6, int64(m.Suppressed))
}

// Unmarshal replaces m by the decoded src, from which everything is copied. The error is a [*DecodeError]; m is then
// the zero value.
func (m *BridgeRequest) Unmarshal(src []byte) error {
	*m = BridgeRequest{}
	d := newDecoder(src)
	if m.decode(&d); d.err != nil {
		*m = BridgeRequest{}
	}
	return d.result()
}

func (m *BridgeRequest) decode(d *decoder) {
	for d.next() {
		switch d.field {
		case 1:
			d.string(&m.Token)
		case 2:
			decodeEnum(d, &m.Type)
		case 3:
			d.string(&m.Message)
		case 4:
			d.string(&m.DefaultPrompt)
		case 5:
			d.string(&m.Key)
		case 6:
			decodeEnum(d, &m.Suppressed)
		default:
			d.skip()
		}
	}
}
