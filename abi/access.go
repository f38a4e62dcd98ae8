package abi

// Get returns the member with that key. A struct may be unordered or hold a key twice (built by hand): the last counts,
// as on the wire.
func (s Struct) Get(key string) (Value, bool) {
	for i := len(s) - 1; i >= 0; i-- {
		if s[i].Key == key {
			return s[i].Value, true
		}
	}
	return Value{}, false
}

// GetString returns the string with that key; ok is false where there is none, or it is not a string.
func (s Struct) GetString(key string) (value string, ok bool) {
	v, _ := s.Get(key)
	return v.String, v.Kind == KindString
}

// GetBool returns the boolean with that key; ok is false where there is none, or it is not a boolean.
func (s Struct) GetBool(key string) (value, ok bool) {
	v, _ := s.Get(key)
	return v.Bool, v.Kind == KindBool
}

// GetNumber returns the number with that key; ok is false where there is none, or it is not a number.
func (s Struct) GetNumber(key string) (value float64, ok bool) {
	v, _ := s.Get(key)
	return v.Number, v.Kind == KindNumber
}

// GetInt returns the whole number with that key; ok is false where there is none, or it is not one; see [Value.Int].
func (s Struct) GetInt(key string) (value int64, ok bool) {
	v, _ := s.Get(key)
	return v.Int()
}

// GetStruct returns the object with that key; ok is false where there is none, or it is not an object.
func (s Struct) GetStruct(key string) (value Struct, ok bool) {
	v, _ := s.Get(key)
	return v.Struct, v.Kind == KindStruct
}

// GetList returns the array with that key; ok is false where there is none, or it is not an array.
func (s Struct) GetList(key string) (value []Value, ok bool) {
	v, _ := s.Get(key)
	return v.List, v.Kind == KindList
}

// maxSafeInteger is the largest magnitude up to which a double holds every whole number.
const maxSafeInteger = 1<<53 - 1

// Int returns the value as a whole number; ok is false for other kinds, fractions and magnitudes above 2^53-1, which a
// double does not hold exactly.
func (v Value) Int() (n int64, ok bool) {
	if v.Kind != KindNumber || !(v.Number >= -maxSafeInteger && v.Number <= maxSafeInteger) {
		return 0, false
	}
	n = int64(v.Number)
	return n, float64(n) == v.Number
}

// StringValue makes a string.
func StringValue(s string) Value { return Value{Kind: KindString, String: s} }

// NumberValue makes a number.
func NumberValue(n float64) Value { return Value{Kind: KindNumber, Number: n} }

// BoolValue makes a boolean.
func BoolValue(b bool) Value { return Value{Kind: KindBool, Bool: b} }

// StructValue makes an object.
func StructValue(s Struct) Value { return Value{Kind: KindStruct, Struct: s} }

// ListValue makes an array.
func ListValue(items ...Value) Value { return Value{Kind: KindList, List: items} }
