package abi

// Struct is a configuration object, sorted by key: google.protobuf.Struct on the wire.
type Struct []Field

// Field is one member of a [Struct].
type Field struct {
	Key   string
	Value Value
}

// Kind says which member of a [Value] is set.
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

// Value is a configuration value: google.protobuf.Value on the wire.
type Value struct {
	Kind   Kind
	Number float64
	String string
	Bool   bool
	Struct Struct
	List   []Value
}
