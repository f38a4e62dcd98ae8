package abi

// Append appends the encoded event to dst. Text is written only if HasText is set.
func (m *BridgeReplyEvent) Append(dst []byte) []byte {
	dst = appendHeader(dst, &m.Header)
	dst = appendInt(dst, 2, int64(m.Via))
	dst = appendInt(dst, 3, int64(m.Type))
	dst = appendBool(dst, 4, m.Accepted)
	if m.HasText {
		dst = appendStringAlways(dst, 5, m.Text)
	}
	return appendString(dst, 6, m.Payload)
}

// Unmarshal replaces m with a copy of what src encodes, or with the zero value if the error is not nil.
func (m *BridgeReplyEvent) Unmarshal(src []byte) error {
	*m = BridgeReplyEvent{}
	d := newDecoder(src)
	m.decode(&d)
	return finish(m, &d)
}

// UnmarshalAlias is Unmarshal without copies: m points into src, and reuses what it allocated before.
func (m *BridgeReplyEvent) UnmarshalAlias(src []byte) error {
	*m = BridgeReplyEvent{Header: m.Header.emptied()}
	d := newAliasDecoder(src)
	m.decode(&d)
	return finish(m, &d)
}

func (m *BridgeReplyEvent) decode(d *decoder) {
	for d.next() {
		switch d.field {
		case 1:
			d.header(&m.Header)
		case 2:
			decodeEnum(d, &m.Via)
		case 3:
			decodeEnum(d, &m.Type)
		case 4:
			d.bool(&m.Accepted)
		case 5:
			if d.string(&m.Text) {
				m.HasText = true
			}
		case 6:
			d.string(&m.Payload)
		default:
			d.skip()
		}
	}
}

// Append appends the encoded message to dst.
func (m *HTTPHeader) Append(dst []byte) []byte {
	dst = appendString(dst, 1, m.Name)
	return appendString(dst, 2, m.Value)
}

// Unmarshal replaces m with a copy of what src encodes, or with the zero value if the error is not nil.
func (m *HTTPHeader) Unmarshal(src []byte) error {
	*m = HTTPHeader{}
	d := newDecoder(src)
	m.decode(&d)
	return finish(m, &d)
}

func (m *HTTPHeader) decode(d *decoder) {
	for d.next() {
		switch d.field {
		case 1:
			d.string(&m.Name)
		case 2:
			d.string(&m.Value)
		default:
			d.skip()
		}
	}
}

// Append appends the encoded message to dst.
func (m *BridgeReply) Append(dst []byte) []byte {
	dst = appendString(dst, 1, m.Expression)
	dst = appendUint(dst, 2, uint64(m.Status))
	for i := range m.Headers {
		var body int
		dst, body = beginMessage(dst, 3)
		dst = endMessage(m.Headers[i].Append(dst), body)
	}
	return appendBytes(dst, 4, m.Body)
}

// Unmarshal replaces m with a copy of what src encodes, or with the zero value if the error is not nil.
func (m *BridgeReply) Unmarshal(src []byte) error {
	*m = BridgeReply{}
	d := newDecoder(src)
	m.decode(&d)
	return finish(m, &d)
}

func (m *BridgeReply) decode(d *decoder) {
	for d.next() {
		switch d.field {
		case 1:
			d.string(&m.Expression)
		case 2:
			d.uint32(&m.Status)
		case 3:
			if outer, ok := d.enter(); ok {
				m.Headers = append(m.Headers, HTTPHeader{})
				m.Headers[len(m.Headers)-1].decode(d)
				d.leave(outer)
			}
		case 4:
			d.bytes(&m.Body)
		default:
			d.skip()
		}
	}
}
