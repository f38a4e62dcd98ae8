package abi_test

import (
	"bytes"
	"context"
	"testing"

	"github.com/bufbuild/protocompile"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/types/dynamicpb"
	"google.golang.org/protobuf/types/known/structpb"
	"pgregory.net/rapid"

	"github.com/hermes-cdp/hermes-cdp/abi"
)

// The reference is google.golang.org/protobuf with hermes.proto itself.

// schema returns the message types of hermes.proto by full name, google.protobuf.Struct and Value among them.
func schema(t testing.TB) map[string]protoreflect.MessageType {
	t.Helper()
	compiler := protocompile.Compiler{Resolver: protocompile.WithStandardImports(&protocompile.SourceResolver{})}
	files, err := compiler.Compile(context.Background(), "hermes.proto", "google/protobuf/struct.proto")
	if err != nil {
		t.Fatal(err)
	}
	types := make(map[string]protoreflect.MessageType)
	for _, file := range files {
		for i := range file.Messages().Len() {
			descriptor := file.Messages().Get(i)
			types[string(descriptor.FullName())] = dynamicpb.NewMessageType(descriptor)
		}
	}
	return types
}

func TestEveryMessageOfTheSchemaHasACodec(t *testing.T) {
	tested := make(map[string]bool)
	for _, kind := range kinds() {
		tested[kind.name] = true
	}
	for name, messageType := range schema(t) {
		if messageType.Descriptor().ParentFile().Package() == "hermes.v1" && !tested[name] {
			t.Errorf("%s is in hermes.proto and not among the tested messages", name)
		}
	}
}

func TestTheReferenceReadsWhatWeWrite(t *testing.T) {
	types := schema(t)
	for _, kind := range kinds() {
		t.Run(kind.name, rapid.MakeCheck(func(t *rapid.T) {
			ours := kind.random(t)
			reference := types[kind.name].New().Interface()
			if err := proto.Unmarshal(ours.Append(nil), reference); err != nil {
				t.Fatal(err)
			}
			if unknown := reference.ProtoReflect().GetUnknown(); len(unknown) > 0 {
				t.Fatalf("the schema has no field for % x", unknown)
			}
			back, err := proto.MarshalOptions{Deterministic: true}.Marshal(reference)
			if err != nil {
				t.Fatal(err)
			}
			if want := ours.Append(nil); !bytes.Equal(back, want) {
				t.Fatalf("the reference writes\n% x\nwe write\n% x", back, want)
			}
		}))
	}
}

func TestWeReadWhatTheReferenceWrites(t *testing.T) {
	types := schema(t)
	for _, kind := range kinds() {
		t.Run(kind.name, rapid.MakeCheck(func(t *rapid.T) {
			want, got := kind.random(t), kind.empty()
			reference := types[kind.name].New().Interface()
			if err := proto.Unmarshal(want.Append(nil), reference); err != nil {
				t.Fatal(err)
			}
			wire, err := proto.Marshal(reference) // map entries in random order
			if err != nil {
				t.Fatal(err)
			}
			if err := got.Unmarshal(wire); err != nil {
				t.Fatal(err)
			}
			if !equal(want, got) {
				t.Fatalf("decoded\n%+v\nwant\n%+v", got, want)
			}
		}))
	}
}

func TestStructIsGoogleProtobufStruct(t *testing.T) {
	reference, err := structpb.NewStruct(map[string]any{
		"null": nil, "number": 1.5, "text": "ä", "yes": true, "no": false,
		"object": map[string]any{"empty": map[string]any{}}, "array": []any{1.0, "a", []any{}},
	})
	if err != nil {
		t.Fatal(err)
	}
	wire, err := proto.MarshalOptions{Deterministic: true}.Marshal(reference)
	if err != nil {
		t.Fatal(err)
	}
	var ours abi.Struct
	if err := ours.Unmarshal(wire); err != nil {
		t.Fatal(err)
	}
	if got := ours.Append(nil); !bytes.Equal(got, wire) {
		t.Errorf("we write\n% x\nthe reference writes\n% x", got, wire)
	}
}

// canonical removes what our structs cannot tell apart: unknown fields, an empty embedded message from an absent one,
// and a configuration value without a kind from null.
func canonical(m protoreflect.Message) {
	m.SetUnknown(nil)
	kindOf := m.Descriptor().Oneofs().ByName("kind")
	if m.Descriptor().FullName() == "google.protobuf.Value" && m.WhichOneof(kindOf) == nil {
		m.Set(m.Descriptor().Fields().ByName("null_value"), protoreflect.ValueOfEnum(0))
	}
	m.Range(func(field protoreflect.FieldDescriptor, value protoreflect.Value) bool {
		switch {
		case field.IsMap():
			value.Map().Range(func(_ protoreflect.MapKey, v protoreflect.Value) bool {
				canonical(v.Message())
				return true
			})
		case field.Message() == nil:
			if field.Enum() != nil && field.Enum().FullName() == "google.protobuf.NullValue" {
				m.Set(field, protoreflect.ValueOfEnum(0))
			}
		case field.IsList():
			for i := range value.List().Len() {
				canonical(value.List().Get(i).Message())
			}
		default:
			canonical(value.Message())
			if field.ContainingOneof() == nil && proto.Size(value.Message().Interface()) == 0 {
				m.Clear(field)
			}
		}
		return true
	})
}
