package abi_test

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"github.com/hermes-cdp/hermes-cdp/abi"
)

func TestDialogVerdictDecoding(t *testing.T) {
	cases := []struct {
		name string
		src  string
		want abi.DialogVerdict
	}{
		{"nothing is the zero verdict", "", abi.DialogVerdict{}},
		{"the last scalar wins", "\x08\x01\x08\x02", abi.DialogVerdict{Action: abi.DialogActionAccept}},
		{"an empty text is a text", "\x12\x00", abi.DialogVerdict{HasText: true}},
		{"an unknown varint is skipped", "\x78\xff\x01\x08\x03", abi.DialogVerdict{Action: abi.DialogActionDismiss}},
		{"an unknown fixed32 is skipped", "\x7d1234\x08\x03", abi.DialogVerdict{Action: abi.DialogActionDismiss}},
		{"an unknown fixed64 is skipped", "\x7912345678\x08\x03", abi.DialogVerdict{Action: abi.DialogActionDismiss}},
		{"unknown bytes are skipped", "\x7a\x03abc\x08\x03", abi.DialogVerdict{Action: abi.DialogActionDismiss}},
		{"a known field of another wire type is skipped", "\x0a\x01a\x08\x03", abi.DialogVerdict{Action: abi.DialogActionDismiss}},
		{"a varint may be longer than needed", "\x08\x83\x00", abi.DialogVerdict{Action: abi.DialogActionDismiss}},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			got := abi.DialogVerdict{Action: abi.DialogActionHold, Text: "old"}
			if err := got.Unmarshal([]byte(c.src)); err != nil {
				t.Fatal(err)
			}
			if got != c.want {
				t.Errorf("got %+v, want %+v", got, c.want)
			}
		})
	}
}

func TestDialogVerdictRefusals(t *testing.T) {
	cases := []struct {
		name, src, want string
	}{
		{"tag ends early", "\x88", "abi: cannot decode a tag at byte 1: truncated varint"},
		{"value is missing", "\x08", "abi: cannot decode field 1 at byte 1: truncated varint"},
		{"varint of eleven bytes", "\x08" + strings.Repeat("\x80", 10) + "\x01", "abi: cannot decode field 1 at byte 11: varint longer than 64 bits"},
		{"varint of 65 bits", "\x08" + strings.Repeat("\xff", 9) + "\x02", "abi: cannot decode field 1 at byte 11: varint longer than 64 bits"},
		{"string is cut", "\x12\x05abc", "abi: cannot decode field 2 at byte 2: length beyond the end of the message"},
		{"length of 2^63", "\x12\x80\x80\x80\x80\x80\x80\x80\x80\x80\x01", "abi: cannot decode field 2 at byte 11: length beyond the end of the message"},
		{"string is not UTF-8", "\x12\x01\xff", "abi: cannot decode field 2 at byte 3: invalid UTF-8"},
		{"field number 0", "\x00\x00", "abi: cannot decode a tag at byte 0: field number out of range"},
		{"field number 2^29", "\x80\x80\x80\x80\x10\x00", "abi: cannot decode a tag at byte 0: field number out of range"},
		{"group starts", "\x0b", "abi: cannot decode field 1 at byte 1: groups are not supported"},
		{"group ends", "\x0c", "abi: cannot decode field 1 at byte 1: groups are not supported"},
		{"wire type 6", "\x0e", "abi: cannot decode field 1 at byte 1: unknown wire type"},
		{"unknown fixed32 is cut", "\x7d123", "abi: cannot decode field 15 at byte 1: truncated fixed-size value"},
		{"unknown fixed64 is cut", "\x791234567", "abi: cannot decode field 15 at byte 1: truncated fixed-size value"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			got := abi.DialogVerdict{Action: abi.DialogActionHold}
			err := got.Unmarshal([]byte(c.src))
			if err == nil || err.Error() != c.want {
				t.Errorf("error is %v\nwant %s", err, c.want)
			}
			if got != (abi.DialogVerdict{}) {
				t.Errorf("a refused verdict left %+v", got)
			}
		})
	}
}

func TestFramesVerdictTakesIndexesPackedAndUnpacked(t *testing.T) {
	cases := []struct{ name, src string }{
		{"packed", "\x0a\x04\x00\x07\xac\x02"},
		{"unpacked", "\x08\x00\x08\x07\x08\xac\x02"},
		{"mixed", "\x0a\x01\x00\x08\x07\x0a\x02\xac\x02"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			var got abi.FramesVerdict
			if err := got.Unmarshal([]byte(c.src)); err != nil {
				t.Fatal(err)
			}
			if len(got.Kept) != 3 || got.Kept[0] != 0 || got.Kept[1] != 7 || got.Kept[2] != 300 {
				t.Errorf("kept %v, want [0 7 300]", got.Kept)
			}
		})
	}
}

func TestAHeaderThatOccursTwiceIsMerged(t *testing.T) {
	first := abi.DialogEvent{Header: abi.Header{Sequence: 7, TaskID: "a", TaskConfig: abi.Struct{
		{Key: "x", Value: abi.NumberValue(1)},
	}}}
	second := abi.DialogEvent{Header: abi.Header{TaskID: "b", TaskConfig: abi.Struct{
		{Key: "w", Value: abi.BoolValue(true)}, {Key: "x", Value: abi.NumberValue(2)},
	}}}
	var got abi.DialogEvent
	if err := got.Unmarshal(second.Append(first.Append(nil))); err != nil {
		t.Fatal(err)
	}
	want := abi.DialogEvent{Header: abi.Header{Sequence: 7, TaskID: "b", TaskConfig: second.Header.TaskConfig}}
	if !bytes.Equal(got.Append(nil), want.Append(nil)) {
		t.Errorf("got %+v, want %+v", got, want)
	}
}

// nested returns an object in an object, depth times.
func nested(depth int) abi.Struct {
	s := abi.Struct{}
	for range depth - 1 {
		s = abi.Struct{{Key: "a", Value: abi.StructValue(s)}}
	}
	return s
}

func TestConfigurationNestsUpToTheLimit(t *testing.T) {
	var got abi.Struct
	if err := got.Unmarshal(nested(abi.MaxValueDepth).Append(nil)); err != nil {
		t.Errorf("depth %d: %v", abi.MaxValueDepth, err)
	}
	err := got.Unmarshal(nested(abi.MaxValueDepth + 1).Append(nil))
	var decode *abi.DecodeError
	if !errors.As(err, &decode) || decode.Reason != "configuration nests too deep" {
		t.Errorf("depth %d: %v", abi.MaxValueDepth+1, err)
	}
}

func TestALargeUnorderedObjectIsOrderedOnDecoding(t *testing.T) {
	var s abi.Struct
	for i := range 5000 {
		key := string([]byte{byte('a' + i*7%26), byte('a' + i*11%26), byte('a' + i%26)})
		s = append(s, abi.Field{Key: key, Value: abi.NumberValue(float64(i))})
	}
	var got abi.Struct
	if err := got.Unmarshal(s.Append(nil)); err != nil {
		t.Fatal(err)
	}
	for i := 1; i < len(got); i++ {
		if got[i-1].Key >= got[i].Key {
			t.Fatalf("key %q comes before %q", got[i-1].Key, got[i].Key)
		}
	}
	for _, field := range got {
		if last, _ := s.GetNumber(field.Key); last != field.Value.Number {
			t.Errorf("key %q has %v, the last member with it has %v", field.Key, field.Value.Number, last)
		}
	}
}
