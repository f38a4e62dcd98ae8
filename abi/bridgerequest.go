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

// Unmarshal replaces m with a copy of what src encodes, or with the zero value if the error is not nil.
func (m *BridgeRequestEvent) Unmarshal(src []byte) error {
	*m = BridgeRequestEvent{}
	d := newDecoder(src)
	m.decode(&d)
	return finish(m, &d)
}

// UnmarshalAlias is Unmarshal without copies: m points into src, and reuses what it allocated before.
func (m *BridgeRequestEvent) UnmarshalAlias(src []byte) error {
	*m = BridgeRequestEvent{Header: m.Header.emptied()}
	d := newAliasDecoder(src)
	m.decode(&d)
	return finish(m, &d)
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

// Unmarshal replaces m with a copy of what src encodes, or with the zero value if the error is not nil.
func (m *BridgeRequest) Unmarshal(src []byte) error {
	*m = BridgeRequest{}
	d := newDecoder(src)
	m.decode(&d)
	return finish(m, &d)
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
