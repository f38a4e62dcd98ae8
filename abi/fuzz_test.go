package abi_test

import (
	"bytes"
	"errors"
	"testing"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"

	"github.com/hermes-cdp/hermes-cdp/abi"
)

// FuzzUnmarshal compares the decoder with the reference on arbitrary bytes; the first byte chooses the message.
func FuzzUnmarshal(f *testing.F) {
	types, all := schema(f), kinds()
	for which := range all {
		for _, sample := range seeds() {
			f.Add(append([]byte{byte(which)}, sample...))
		}
	}
	f.Fuzz(func(t *testing.T, input []byte) {
		if len(input) == 0 {
			return
		}
		kind, src := all[int(input[0])%len(all)], input[1:]
		compareWithReference(t, kind, types[kind.name], src)
	})
}

func compareWithReference(t *testing.T, kind kind, messageType protoreflect.MessageType, src []byte) {
	ours, reference := kind.empty(), messageType.New().Interface()
	ourErr, refErr := ours.Unmarshal(src), proto.Unmarshal(src, reference)
	var decode *abi.DecodeError
	if errors.As(ourErr, &decode) {
		switch decode.Reason {
		case "groups are not supported", "configuration nests too deep": // the two intended differences
			return
		}
	}
	if (ourErr == nil) != (refErr == nil) {
		t.Fatalf("%s from % x\nours: %v\nreference: %v", kind.name, src, ourErr, refErr)
	}
	if ourErr != nil {
		return
	}
	rewritten := messageType.New().Interface()
	if err := proto.Unmarshal(ours.Append(nil), rewritten); err != nil {
		t.Fatalf("the reference refuses what we wrote: %v", err)
	}
	canonical(reference.ProtoReflect())
	if !proto.Equal(reference, rewritten) {
		t.Fatalf("%s from % x\nours: %+v\nreference: %v", kind.name, src, ours, reference)
	}
	again := kind.empty()
	if err := again.Unmarshal(ours.Append(nil)); err != nil {
		t.Fatalf("we refuse what we wrote: %v", err)
	}
	if !bytes.Equal(again.Append(nil), ours.Append(nil)) {
		t.Fatal("a second round trip changes the message")
	}
}

// seeds are encoded messages of every type, and a few that only a careless decoder accepts.
func seeds() [][]byte {
	closed := abi.DialogClosedEvent{DialogID: "d-1", ClosedBy: abi.ClosedByWatchdog, Accepted: true, OpenNanos: 5}
	verdict := abi.DialogVerdict{Action: abi.DialogActionAccept, HasText: true, Rule: "rules[2]"}
	frames := abi.FramesVerdict{Kept: []uint32{0, 1, 300}, Truncated: true}
	manifest := abi.Manifest{Name: "n", Version: "1.0.0", Hooks: []string{"hermes_on_dialog"}, Fuel: 1 << 40}
	config := abi.Struct{
		{Key: "a", Value: abi.ListValue(abi.NumberValue(1), abi.Value{}, abi.BoolValue(false))},
		{Key: "b", Value: abi.StructValue(nested(4))},
	}
	value := abi.StructValue(config)
	return [][]byte{
		sampleDialogEvent().Append(nil), sampleFramesEvent(3).Append(nil), closed.Append(nil), verdict.Append(nil),
		frames.Append(nil), manifest.Append(nil), config.Append(nil), value.Append(nil),
		config.Append(config.Append(nil)), value.Append(value.Append(nil)), nested(40).Append(nil),
		[]byte("\x08\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01"), []byte("\x0b\x0c"), []byte("\x12\x01\xff"), {},
	}
}
