package abi

// Append appends the encoded tool to dst.
func (m *ManifestTool) Append(dst []byte) []byte {
	dst = appendString(dst, 1, m.Name)
	dst = appendString(dst, 2, m.Description)
	dst = appendString(dst, 3, m.InputSchema)
	dst = appendString(dst, 4, m.PageScript)
	return appendBool(dst, 5, m.ReadOnly)
}

// Unmarshal replaces m with a copy of what src encodes, or with the zero value if the error is not nil.
func (m *ManifestTool) Unmarshal(src []byte) error {
	*m = ManifestTool{}
	d := newDecoder(src)
	m.decode(&d)
	return finish(m, &d)
}

func (m *ManifestTool) decode(d *decoder) {
	for d.next() {
		switch d.field {
		case 1:
			d.string(&m.Name)
		case 2:
			d.string(&m.Description)
		case 3:
			d.string(&m.InputSchema)
		case 4:
			d.string(&m.PageScript)
		case 5:
			d.bool(&m.ReadOnly)
		default:
			d.skip()
		}
	}
}
