package abi

import (
	"cmp"
	"slices"
)

// Configuration on the wire: google.protobuf.Struct, whose only field is a map from string to google.protobuf.Value.
// https://github.com/protocolbuffers/protobuf/blob/main/src/google/protobuf/struct.proto

// MaxValueDepth is how deep objects and arrays may nest in a configuration. It bounds the stack that decoding needs in
// a guest, where an overflow is a trap.
const MaxValueDepth = 32

// Append appends the encoded object to dst, with its members in their order.
func (s Struct) Append(dst []byte) []byte {
	for i := range s {
		var entry, value int
		dst, entry = beginMessage(dst, 1)
		dst = appendStringAlways(dst, 1, s[i].Key)
		dst, value = beginMessage(dst, 2)
		dst = endMessage(s[i].Value.Append(dst), value)
		dst = endMessage(dst, entry)
	}
	return dst
}

// Unmarshal replaces s with a copy of what src encodes, sorted by key; the last of several members with the same key
// counts. The error is a [*DecodeError]; s is then empty.
func (s *Struct) Unmarshal(src []byte) error {
	*s = nil
	d := newDecoder(src)
	s.decode(&d)
	return finish(s, &d)
}

// decode adds members to s, which may already have some if the message occurs twice.
func (s *Struct) decode(d *decoder) {
	if !d.deeper() {
		return
	}
	ordered := true
	for d.next() {
		if d.field != 1 {
			d.skip()
			continue
		}
		outer, ok := d.enter()
		if !ok {
			continue
		}
		field := s.grow(d.alias)
		field.decode(d)
		d.leave(outer)
		if n := len(*s); n > 1 && (*s)[n-2].Key >= (*s)[n-1].Key {
			ordered = false
		}
	}
	if !ordered {
		s.order()
	}
	d.depth--
}

// grow adds an empty member. If reuse is set, it keeps the slices of the member that was there before.
func (s *Struct) grow(reuse bool) *Field {
	n := len(*s)
	if reuse && n < cap(*s) {
		*s = (*s)[:n+1]
		(*s)[n].Key = ""
		(*s)[n].Value.reset()
	} else {
		*s = append(*s, Field{})
	}
	return &(*s)[n]
}

// order sorts by key and keeps the last of equal keys.
func (s *Struct) order() {
	all := *s
	slices.SortStableFunc(all, func(a, b Field) int { return cmp.Compare(a.Key, b.Key) })
	kept := 0
	for i := range all {
		if i+1 < len(all) && all[i].Key == all[i+1].Key {
			continue
		}
		all[kept] = all[i]
		kept++
	}
	clear(all[kept:]) // two members must not share slices that are reused
	*s = all[:kept]
}

func (f *Field) decode(d *decoder) {
	for d.next() {
		switch d.field {
		case 1:
			d.string(&f.Key)
		case 2:
			if outer, ok := d.enter(); ok {
				f.Value.decode(d)
				d.leave(outer)
			}
		default:
			d.skip()
		}
	}
}

// Append appends the encoded value to dst.
func (v *Value) Append(dst []byte) []byte {
	var body int
	switch v.Kind {
	case KindNumber:
		return appendDoubleAlways(dst, 2, v.Number)
	case KindString:
		return appendStringAlways(dst, 3, v.String)
	case KindBool:
		dst = appendTag(dst, 4, wireVarint)
		if v.Bool {
			return append(dst, 1)
		}
		return append(dst, 0)
	case KindStruct:
		dst, body = beginMessage(dst, 5)
		return endMessage(v.Struct.Append(dst), body)
	case KindList:
		dst, body = beginMessage(dst, 6)
		for i := range v.List {
			var item int
			dst, item = beginMessage(dst, 1)
			dst = endMessage(v.List[i].Append(dst), item)
		}
		return endMessage(dst, body)
	default:
		return append(appendTag(dst, 1, wireVarint), 0)
	}
}

// Unmarshal replaces v with a copy of what src encodes. A value without a kind is null. The error is a [*DecodeError];
// v is then null.
func (v *Value) Unmarshal(src []byte) error {
	*v = Value{}
	d := newDecoder(src)
	v.decode(&d)
	return finish(v, &d)
}

// decode reads the members of a oneof: a later one replaces an earlier one, except that consecutive objects, or arrays,
// are merged.
func (v *Value) decode(d *decoder) {
	for d.next() {
		switch d.field {
		case 1:
			if d.wire == wireVarint {
				v.become(KindNull)
			}
			d.skip()
		case 2:
			if number, ok := d.double(); ok {
				v.become(KindNumber)
				v.Number = number
			}
		case 3:
			var text string
			if d.string(&text) {
				v.become(KindString)
				v.String = text
			}
		case 4:
			if d.wire == wireVarint {
				v.become(KindBool)
			}
			d.bool(&v.Bool)
		case 5:
			if outer, ok := d.enter(); ok {
				v.become(KindStruct)
				v.Struct.decode(d)
				d.leave(outer)
			}
		case 6:
			if outer, ok := d.enter(); ok {
				v.become(KindList)
				v.decodeList(d)
				d.leave(outer)
			}
		default:
			d.skip()
		}
	}
}

func (v *Value) decodeList(d *decoder) {
	if !d.deeper() {
		return
	}
	for d.next() {
		if d.field != 1 {
			d.skip()
			continue
		}
		outer, ok := d.enter()
		if !ok {
			continue
		}
		n := len(v.List)
		if d.alias && n < cap(v.List) {
			v.List = v.List[:n+1]
			v.List[n].reset()
		} else {
			v.List = append(v.List, Value{})
		}
		v.List[n].decode(d)
		d.leave(outer)
	}
	d.depth--
}

// become empties v unless it already has that kind.
func (v *Value) become(kind Kind) {
	if v.Kind != kind {
		v.reset()
		v.Kind = kind
	}
}

// reset makes v null and keeps its slices.
func (v *Value) reset() { *v = Value{Struct: v.Struct[:0], List: v.List[:0]} }

func (d *decoder) deeper() bool {
	if d.depth >= MaxValueDepth {
		d.fail("configuration nests too deep")
		return false
	}
	d.depth++
	return true
}

// appendStruct appends an object as a field of a message, unless it is empty.
func appendStruct(dst []byte, field int, s Struct) []byte {
	if len(s) == 0 {
		return dst
	}
	dst, body := beginMessage(dst, field)
	return endMessage(s.Append(dst), body)
}

func (d *decoder) object(s *Struct) {
	if outer, ok := d.enter(); ok {
		s.decode(d)
		d.leave(outer)
	}
}
