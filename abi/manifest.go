package abi

// Append appends the encoded manifest to dst.
func (m *Manifest) Append(dst []byte) []byte {
	dst = appendString(dst, 1, m.Name)
	dst = appendString(dst, 2, m.Version)
	for _, hook := range m.Hooks {
		dst = appendStringAlways(dst, 3, hook)
	}
	for _, capability := range m.Capabilities {
		dst = appendStringAlways(dst, 4, capability)
	}
	dst = appendString(dst, 5, m.ConfigSchema)
	dst = appendUint(dst, 6, m.Fuel)
	dst = appendString(dst, 8, m.Description)
	for i := range m.Tools {
		var body int
		dst, body = beginMessage(dst, 9)
		dst = endMessage(m.Tools[i].Append(dst), body)
	}
	for _, name := range m.OptionalImports {
		dst = appendStringAlways(dst, 10, name)
	}
	for _, policy := range m.DialogPolicies {
		dst = appendStringAlways(dst, 11, policy)
	}
	return dst
}

// Unmarshal replaces m with a copy of what src encodes, or with the zero value if the error is not nil.
func (m *Manifest) Unmarshal(src []byte) error {
	*m = Manifest{}
	d := newDecoder(src)
	m.decode(&d)
	return finish(m, &d)
}

func (m *Manifest) decode(d *decoder) {
	for d.next() {
		switch d.field {
		case 1:
			d.string(&m.Name)
		case 2:
			d.string(&m.Version)
		case 3:
			d.strings(&m.Hooks)
		case 4:
			d.strings(&m.Capabilities)
		case 5:
			d.string(&m.ConfigSchema)
		case 6:
			d.uint(&m.Fuel)
		case 8:
			d.string(&m.Description)
		case 9:
			if outer, ok := d.enter(); ok {
				m.Tools = append(m.Tools, ManifestTool{})
				m.Tools[len(m.Tools)-1].decode(d)
				d.leave(outer)
			}
		case 10:
			d.strings(&m.OptionalImports)
		case 11:
			d.strings(&m.DialogPolicies)
		default:
			d.skip()
		}
	}
}
