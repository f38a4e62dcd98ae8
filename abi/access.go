package abi

// Get returns the member with a key. A struct that was built by hand may be unordered or have a key twice: the last one
// counts, as on the wire.
func (s Struct) Get(key string) (Value, bool) {
	for i := len(s) - 1; i >= 0; i-- {
		if s[i].Key == key {
			return s[i].Value, true
		}
	}
	return Value{}, false
}

// GetString returns the string with a key; ok is false if there is none.
func (s Struct) GetString(key string) (value string, ok bool) {
	v, _ := s.Get(key)
	return v.String, v.Kind == KindString
}

// GetBool returns the boolean with a key; ok is false if there is none.
func (s Struct) GetBool(key string) (value, ok bool) {
	v, _ := s.Get(key)
	return v.Bool, v.Kind == KindBool
}

// GetNumber returns the number with a key; ok is false if there is none.
func (s Struct) GetNumber(key string) (value float64, ok bool) {
	v, _ := s.Get(key)
	return v.Number, v.Kind == KindNumber
}

// GetInt returns the whole number with a key; ok is false if there is none; see [Value.Int].
func (s Struct) GetInt(key string) (value int64, ok bool) {
	v, _ := s.Get(key)
	return v.Int()
}

// GetStruct returns the object with a key; ok is false if there is none.
func (s Struct) GetStruct(key string) (value Struct, ok bool) {
	v, _ := s.Get(key)
	return v.Struct, v.Kind == KindStruct
}

// GetList returns the array with a key; ok is false if there is none.
func (s Struct) GetList(key string) (value []Value, ok bool) {
	v, _ := s.Get(key)
	return v.List, v.Kind == KindList
}

// maxSafeInteger is the largest magnitude up to which a double holds every whole number.
const maxSafeInteger = 1<<53 - 1

// Int returns the value as a whole number; ok is false for other kinds, fractions, and magnitudes above 2^53-1, which a
// double cannot represent exactly.
func (v Value) Int() (n int64, ok bool) {
	if v.Kind != KindNumber || !(v.Number >= -maxSafeInteger && v.Number <= maxSafeInteger) {
		return 0, false
	}
	n = int64(v.Number)
	return n, float64(n) == v.Number
}

// StringValue returns a value that is a string.
func StringValue(s string) Value { return Value{Kind: KindString, String: s} }

// NumberValue returns a value that is a number.
func NumberValue(n float64) Value { return Value{Kind: KindNumber, Number: n} }

// BoolValue returns a value that is a boolean.
func BoolValue(b bool) Value { return Value{Kind: KindBool, Bool: b} }

// StructValue returns a value that is an object.
func StructValue(s Struct) Value { return Value{Kind: KindStruct, Struct: s} }

// ListValue returns a value that is an array.
func ListValue(items ...Value) Value { return Value{Kind: KindList, List: items} }
