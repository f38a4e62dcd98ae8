package abi

// Append appends the encoded frame to dst.
func (m *Frame) Append(dst []byte) []byte {
	dst = appendString(dst, 1, m.FrameID)
	dst = appendString(dst, 2, m.ParentFrameID)
	dst = appendString(dst, 3, m.URL)
	dst = appendString(dst, 4, m.Origin)
	dst = appendString(dst, 5, m.Name)
	dst = appendInt(dst, 6, int64(m.Kind))
	dst = appendUint(dst, 7, uint64(m.Depth))
	dst = appendUint(dst, 8, uint64(m.OOPIFDepth))
	return appendBool(dst, 9, m.HasPendingDialog)
}

// Unmarshal replaces m with a copy of what src encodes, or with the zero value if the error is not nil.
func (m *Frame) Unmarshal(src []byte) error {
	*m = Frame{}
	d := newDecoder(src)
	m.decode(&d)
	return finish(m, &d)
}

func (m *Frame) decode(d *decoder) {
	for d.next() {
		switch d.field {
		case 1:
			d.string(&m.FrameID)
		case 2:
			d.string(&m.ParentFrameID)
		case 3:
			d.string(&m.URL)
		case 4:
			d.string(&m.Origin)
		case 5:
			d.string(&m.Name)
		case 6:
			decodeEnum(d, &m.Kind)
		case 7:
			d.uint32(&m.Depth)
		case 8:
			d.uint32(&m.OOPIFDepth)
		case 9:
			d.bool(&m.HasPendingDialog)
		default:
			d.skip()
		}
	}
}

// Append appends the encoded event to dst.
func (m *FramesEvent) Append(dst []byte) []byte {
	dst = appendHeader(dst, &m.Header)
	dst = appendString(dst, 2, m.TargetID)
	for i := range m.Frames {
		var body int
		dst, body = beginMessage(dst, 3)
		dst = endMessage(m.Frames[i].Append(dst), body)
	}
	return dst
}

// Unmarshal replaces m with a copy of what src encodes, or with the zero value if the error is not nil.
func (m *FramesEvent) Unmarshal(src []byte) error {
	*m = FramesEvent{}
	d := newDecoder(src)
	m.decode(&d)
	return finish(m, &d)
}

// UnmarshalAlias is Unmarshal without copies: m points into src, and reuses what it allocated before.
func (m *FramesEvent) UnmarshalAlias(src []byte) error {
	*m = FramesEvent{Header: m.Header.emptied(), Frames: m.Frames[:0]}
	d := newAliasDecoder(src)
	m.decode(&d)
	return finish(m, &d)
}

func (m *FramesEvent) decode(d *decoder) {
	// One allocation of the right size: growing by doubling made the first tree ten times slower in a guest.
	if n := d.count(3); n > cap(m.Frames) {
		m.Frames = make([]Frame, 0, n)
	}
	for d.next() {
		switch d.field {
		case 1:
			d.header(&m.Header)
		case 2:
			d.string(&m.TargetID)
		case 3:
			if outer, ok := d.enter(); ok {
				m.Frames = append(m.Frames, Frame{})
				m.Frames[len(m.Frames)-1].decode(d)
				d.leave(outer)
			}
		default:
			d.skip()
		}
	}
}

// Append appends the encoded verdict to dst.
func (m *FramesVerdict) Append(dst []byte) []byte {
	dst = appendIndexes(dst, 1, m.Kept)
	dst = appendBool(dst, 2, m.Truncated)
	dst = appendString(dst, 3, m.Rule)
	dst = appendIndexes(dst, 4, m.Capped)
	return appendIndexes(dst, 5, m.Masked)
}

func appendIndexes(dst []byte, field int, indexes []uint32) []byte {
	if len(indexes) == 0 {
		return dst
	}
	dst, body := beginMessage(dst, field)
	for _, index := range indexes {
		dst = appendVarint(dst, uint64(index))
	}
	return endMessage(dst, body)
}

// Unmarshal replaces m with a copy of what src encodes, or with the zero value if the error is not nil.
// It does not check the indexes.
func (m *FramesVerdict) Unmarshal(src []byte) error {
	*m = FramesVerdict{}
	d := newDecoder(src)
	m.decode(&d)
	return finish(m, &d)
}

func (m *FramesVerdict) decode(d *decoder) {
	for d.next() {
		switch d.field {
		case 1:
			d.uint32s(&m.Kept)
		case 2:
			d.bool(&m.Truncated)
		case 3:
			d.string(&m.Rule)
		case 4:
			d.uint32s(&m.Capped)
		case 5:
			d.uint32s(&m.Masked)
		default:
			d.skip()
		}
	}
}
