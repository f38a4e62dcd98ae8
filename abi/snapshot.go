package abi

// Append appends the encoded node to dst.
func (m *SnapshotNode) Append(dst []byte) []byte {
	dst = appendUint(dst, 1, uint64(m.Depth))
	dst = appendString(dst, 2, m.Role)
	dst = appendString(dst, 3, m.Name)
	dst = appendString(dst, 4, m.Value)
	dst = appendString(dst, 5, m.Description)
	dst = appendString(dst, 6, m.URL)
	dst = appendString(dst, 7, m.Hint)
	return appendString(dst, 8, m.Origin)
}

// Unmarshal replaces m with a copy of what src encodes, or with the zero value if the error is not nil.
func (m *SnapshotNode) Unmarshal(src []byte) error {
	*m = SnapshotNode{}
	d := newDecoder(src)
	m.decode(&d)
	return finish(m, &d)
}

func (m *SnapshotNode) decode(d *decoder) {
	for d.next() {
		switch d.field {
		case 1:
			d.uint32(&m.Depth)
		case 2:
			d.string(&m.Role)
		case 3:
			d.string(&m.Name)
		case 4:
			d.string(&m.Value)
		case 5:
			d.string(&m.Description)
		case 6:
			d.string(&m.URL)
		case 7:
			d.string(&m.Hint)
		case 8:
			d.string(&m.Origin)
		default:
			d.skip()
		}
	}
}

// Append appends the encoded event to dst.
func (m *SnapshotEvent) Append(dst []byte) []byte {
	dst = appendHeader(dst, &m.Header)
	dst = appendString(dst, 2, m.TargetID)
	dst = appendString(dst, 3, m.URL)
	dst = appendString(dst, 4, m.Origin)
	dst = appendString(dst, 5, m.Title)
	dst = appendUint(dst, 6, uint64(m.First))
	for i := range m.Nodes {
		var body int
		dst, body = beginMessage(dst, 7)
		dst = endMessage(m.Nodes[i].Append(dst), body)
	}
	return dst
}

// Unmarshal replaces m with a copy of what src encodes, or with the zero value if the error is not nil.
func (m *SnapshotEvent) Unmarshal(src []byte) error {
	*m = SnapshotEvent{}
	d := newDecoder(src)
	m.decode(&d)
	return finish(m, &d)
}

// UnmarshalAlias is Unmarshal without copies: m points into src, and reuses what it allocated before.
func (m *SnapshotEvent) UnmarshalAlias(src []byte) error {
	*m = SnapshotEvent{Header: m.Header.emptied(), Nodes: m.Nodes[:0]}
	d := newAliasDecoder(src)
	m.decode(&d)
	return finish(m, &d)
}

func (m *SnapshotEvent) decode(d *decoder) {
	if n := d.count(7); n > cap(m.Nodes) { // see FramesEvent
		m.Nodes = make([]SnapshotNode, 0, n)
	}
	for d.next() {
		switch d.field {
		case 1:
			d.header(&m.Header)
		case 2:
			d.string(&m.TargetID)
		case 3:
			d.string(&m.URL)
		case 4:
			d.string(&m.Origin)
		case 5:
			d.string(&m.Title)
		case 6:
			d.uint32(&m.First)
		case 7:
			if outer, ok := d.enter(); ok {
				m.Nodes = append(m.Nodes, SnapshotNode{})
				m.Nodes[len(m.Nodes)-1].decode(d)
				d.leave(outer)
			}
		default:
			d.skip()
		}
	}
}

// Append appends the encoded edit to dst.
func (m *SnapshotEdit) Append(dst []byte) []byte {
	dst = appendUint(dst, 1, uint64(m.Node))
	dst = appendInt(dst, 2, int64(m.Action))
	dst = appendString(dst, 3, m.Name)
	dst = appendString(dst, 4, m.Value)
	dst = appendString(dst, 5, m.Description)
	return appendString(dst, 6, m.Note)
}

// Unmarshal replaces m with a copy of what src encodes, or with the zero value if the error is not nil.
func (m *SnapshotEdit) Unmarshal(src []byte) error {
	*m = SnapshotEdit{}
	d := newDecoder(src)
	m.decode(&d)
	return finish(m, &d)
}

func (m *SnapshotEdit) decode(d *decoder) {
	for d.next() {
		switch d.field {
		case 1:
			d.uint32(&m.Node)
		case 2:
			decodeEnum(d, &m.Action)
		case 3:
			d.string(&m.Name)
		case 4:
			d.string(&m.Value)
		case 5:
			d.string(&m.Description)
		case 6:
			d.string(&m.Note)
		default:
			d.skip()
		}
	}
}

// Append appends the encoded verdict to dst.
func (m *SnapshotVerdict) Append(dst []byte) []byte {
	for i := range m.Edits {
		var body int
		dst, body = beginMessage(dst, 1)
		dst = endMessage(m.Edits[i].Append(dst), body)
	}
	return appendString(dst, 2, m.Rule)
}

// Unmarshal replaces m with a copy of what src encodes, or with the zero value if the error is not nil.
// It does not check the indexes.
func (m *SnapshotVerdict) Unmarshal(src []byte) error {
	*m = SnapshotVerdict{}
	d := newDecoder(src)
	m.decode(&d)
	return finish(m, &d)
}

func (m *SnapshotVerdict) decode(d *decoder) {
	for d.next() {
		switch d.field {
		case 1:
			if outer, ok := d.enter(); ok {
				m.Edits = append(m.Edits, SnapshotEdit{})
				m.Edits[len(m.Edits)-1].decode(d)
				d.leave(outer)
			}
		case 2:
			d.string(&m.Rule)
		default:
			d.skip()
		}
	}
}
