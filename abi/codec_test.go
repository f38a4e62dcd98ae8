package abi_test

import (
	"errors"
	"reflect"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/hermes-cdp/hermes-cdp/abi"
)

func TestEveryMessageSurvivesTheRoundTrip(t *testing.T) {
	for _, kind := range kinds() {
		t.Run(kind.name, rapid.MakeCheck(func(t *rapid.T) {
			want, got := kind.random(t), kind.empty()
			if err := got.Unmarshal(want.Append(nil)); err != nil {
				t.Fatal(err)
			}
			if !equal(want, got) {
				t.Fatalf("decoded\n%+v\nwant\n%+v", got, want)
			}
		}))
	}
}

// equal treats a nil slice like an empty one, as on the wire.
func equal(a, b message) bool {
	return string(a.Append(nil)) == string(b.Append(nil)) &&
		strings.TrimPrefix(reflect.TypeOf(a).String(), "*") == strings.TrimPrefix(reflect.TypeOf(b).String(), "*")
}

func TestAppendKeepsWhatIsThere(t *testing.T) {
	for _, kind := range kinds() {
		t.Run(kind.name, rapid.MakeCheck(func(t *rapid.T) {
			m, before := kind.random(t), rapid.SliceOf(rapid.Byte()).Draw(t, "before")
			got := m.Append(append(make([]byte, 0, 512), before...))
			if string(got) != string(before)+string(m.Append(nil)) {
				t.Fatalf("Append after %x gave %x", before, got)
			}
		}))
	}
}

func TestUnmarshalForgetsWhatTheMessageHeld(t *testing.T) {
	for _, kind := range kinds() {
		t.Run(kind.name, rapid.MakeCheck(func(t *rapid.T) {
			used, want := kind.random(t), kind.random(t)
			if err := used.Unmarshal(want.Append(nil)); err != nil {
				t.Fatal(err)
			}
			if !equal(want, used) {
				t.Fatalf("decoded\n%+v\nwant\n%+v", used, want)
			}
		}))
	}
}

func TestTruncatedMessagesAreRefusedOrShorterAndNeverPanic(t *testing.T) {
	for _, kind := range kinds() {
		t.Run(kind.name, rapid.MakeCheck(func(t *rapid.T) {
			whole := kind.random(t).Append(nil)
			cut := rapid.IntRange(0, len(whole)).Draw(t, "cut")
			got := kind.empty()
			err := got.Unmarshal(whole[:cut])
			var decode *abi.DecodeError
			if err != nil && !errors.As(err, &decode) {
				t.Fatalf("error is a %T", err)
			}
			if err != nil && (decode.Offset < 0 || decode.Offset > cut) {
				t.Fatalf("offset %d is outside of the %d bytes", decode.Offset, cut)
			}
			if err != nil && len(got.Append(nil)) != len(kind.empty().Append(nil)) {
				t.Fatalf("a refused message left %+v", got)
			}
		}))
	}
}

func TestDecodedMessagesDoNotAliasTheirSource(t *testing.T) {
	for _, kind := range kinds() {
		t.Run(kind.name, rapid.MakeCheck(func(t *rapid.T) {
			want, got := kind.random(t), kind.empty()
			src := want.Append(nil)
			if err := got.Unmarshal(src); err != nil {
				t.Fatal(err)
			}
			for i := range src {
				src[i] = 0xff
			}
			if !equal(want, got) {
				t.Fatal("overwriting the source changed the message")
			}
		}))
	}
}

// aliased are the messages that a guest decodes without copies.
type aliased interface {
	message
	UnmarshalAlias(src []byte) error
}

func TestUnmarshalAliasReusesAMessageWithoutMixingEvents(t *testing.T) {
	cases := []struct {
		name   string
		m      aliased
		random func(*rapid.T) message
	}{
		{"DialogEvent", new(abi.DialogEvent), drawDialogEvent},
		{"DialogClosedEvent", new(abi.DialogClosedEvent), drawDialogClosedEvent},
		{"FramesEvent", new(abi.FramesEvent), drawFramesEvent},
	}
	for _, c := range cases {
		t.Run(c.name, rapid.MakeCheck(func(t *rapid.T) {
			for range 3 {
				want := c.random(t)
				if err := c.m.UnmarshalAlias(want.Append(nil)); err != nil {
					t.Fatal(err)
				}
				if !equal(want, c.m) {
					t.Fatalf("decoded\n%+v\nwant\n%+v", c.m, want)
				}
			}
		}))
	}
}

func TestUnmarshalAliasTakesUnorderedAndRepeatedKeys(t *testing.T) {
	list := func(n float64) abi.Value { return abi.ListValue(abi.NumberValue(n), abi.NumberValue(n+1)) }
	var event abi.DialogEvent
	for range 2 {
		first := abi.DialogEvent{Header: abi.Header{TaskConfig: abi.Struct{
			{Key: "b", Value: list(1)}, {Key: "a", Value: list(3)}, {Key: "b", Value: list(5)},
		}}}
		if err := event.UnmarshalAlias(first.Append(nil)); err != nil {
			t.Fatal(err)
		}
		want := abi.Struct{{Key: "a", Value: list(3)}, {Key: "b", Value: list(5)}}
		if got := event.Header.TaskConfig; string(got.Append(nil)) != string(want.Append(nil)) {
			t.Fatalf("got %+v, want %+v", got, want)
		}
	}
}

func TestUnmarshalAliasOfTheSameEventAllocatesNothing(t *testing.T) {
	event := sampleDialogEvent()
	src := event.Append(nil)
	var m abi.DialogEvent
	if n := testing.AllocsPerRun(100, func() {
		if err := m.UnmarshalAlias(src); err != nil {
			t.Fatal(err)
		}
	}); n != 0 {
		t.Errorf("%v allocations per event, want 0", n)
	}
}

func TestPageTextThatIsNotUTF8IsRepaired(t *testing.T) {
	event := abi.DialogEvent{Message: "a\xffb\xc3", Header: abi.Header{TaskConfig: abi.Struct{
		{Key: "\xfe", Value: abi.StringValue(strings.Repeat("\xff", 100))},
	}}}
	var got abi.DialogEvent
	if err := got.Unmarshal(event.Append(nil)); err != nil {
		t.Fatal(err)
	}
	if got.Message != "a\uFFFDb\uFFFD" {
		t.Errorf("message is %q", got.Message)
	}
	if value, _ := got.Header.TaskConfig.GetString("\uFFFD"); value != strings.Repeat("\uFFFD", 100) {
		t.Errorf("task config is %+v", got.Header.TaskConfig)
	}
}
