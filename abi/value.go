package abi

// Struct is a configuration object: google.protobuf.Struct on the wire, ordered by key.
type Struct []Field

// Field is one member of a [Struct].
type Field struct {
	Key   string
	Value Value
}

// Kind tells which member of a [Value] is set.
type Kind uint8

// The kinds of google.protobuf.Value.
const (
	KindNull Kind = iota
	KindNumber
	KindString
	KindBool
	KindStruct
	KindList
)

// Value is one configuration value: google.protobuf.Value on the wire.
type Value struct {
	Kind   Kind
	Number float64
	String string
	Bool   bool
	Struct Struct
	List   []Value
}
