package abijson_test

import (
	"errors"
	"math"
	"reflect"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/hermes-cdp/hermes-cdp/abi"
	"github.com/hermes-cdp/hermes-cdp/abi/abijson"
)

type word string

func TestFromMapTakesWhatDecodersProduce(t *testing.T) {
	got, err := abijson.FromMap(map[string]any{
		"z": nil, "bool": true, "int": int8(-3), "uint": uint64(7), "float": float32(0.5), "text": word("w"),
		"list": []string{"a", "b"}, "any": map[any]any{"k": []any{1}}, "none": (*int)(nil),
	})
	if err != nil {
		t.Fatal(err)
	}
	want := abi.Struct{
		{Key: "any", Value: abi.StructValue(abi.Struct{{Key: "k", Value: abi.ListValue(abi.NumberValue(1))}})},
		{Key: "bool", Value: abi.BoolValue(true)},
		{Key: "float", Value: abi.NumberValue(0.5)},
		{Key: "int", Value: abi.NumberValue(-3)},
		{Key: "list", Value: abi.ListValue(abi.StringValue("a"), abi.StringValue("b"))},
		{Key: "none"},
		{Key: "text", Value: abi.StringValue("w")},
		{Key: "uint", Value: abi.NumberValue(7)},
		{Key: "z"},
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v\nwant %+v", got, want)
	}
}

func TestFromMapNamesThePathOfWhatItRefuses(t *testing.T) {
	deep := map[string]any{}
	for range abi.MaxValueDepth {
		deep = map[string]any{"d": deep}
	}
	cases := []struct {
		name string
		in   map[string]any
		want string
	}{
		{"a type without JSON", map[string]any{"rules": []any{1, map[string]any{"at": time.Time{}}}}, "configuration at rules[1].at: time.Time is not supported; use null, booleans, numbers, strings, lists and maps with string keys"},
		{"a large integer", map[string]any{"n": int64(1) << 53}, "configuration at n: 9007199254740992 is beyond 2^53-1 and would lose digits; give it as a string"},
		{"not a number", map[string]any{"n": math.NaN()}, "configuration at n: NaN is not a number of JSON"},
		{"text that is not UTF-8", map[string]any{"s": "\xff"}, `configuration at s: "\xff" is not UTF-8`},
		{"a key that is not UTF-8", map[string]any{"m": map[string]any{"\xff": 1}}, `configuration at m: "\xff" is not UTF-8`},
		{"a key that is not text", map[string]any{"m": map[any]any{1: 2}}, "configuration at m: the key 1 is not a string; quote it"},
		{"deep nesting", deep, "lists and maps nest more than 32 deep"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			_, err := abijson.FromMap(c.in)
			var value *abijson.ValueError
			if !errors.As(err, &value) || !strings.HasSuffix(err.Error(), c.want) {
				t.Errorf("error is %v, want %s", err, c.want)
			}
		})
	}
}

func TestParseStructRefusals(t *testing.T) {
	cases := []struct{ name, text, want string }{
		{"an array", `[1]`, "configuration: want a JSON object, not array"},
		{"nothing", ``, "configuration: "},
		{"text after the object", `{} x`, "more text after the value"},
		{"a repeated key", `{"a":{"b":1,"b":2}}`, "configuration at a.b: duplicate key"},
		{"half of a surrogate pair", `{"a":"\ud800"}`, `configuration: \ud800 is half of a surrogate pair`},
		{"text that is not UTF-8", "{\"a\":\"\xff\"}", "configuration: the text is not UTF-8"},
		{"a large integer", `{"a":[9007199254740993]}`, "configuration at a[0]: 9007199254740993 is beyond 2^53-1"},
		{"a huge integer", `{"a":1` + strings.Repeat("0", 30) + `}`, "is beyond 2^53-1"},
		{"a number out of range", `{"a":1e999}`, "configuration at a: 1e999 is not a number that a double can hold"},
		{"an unclosed array", `{"a":[1`, "configuration at a"},
		{"deep nesting", strings.Repeat(`{"a":`, 33), "nest more than 32 deep"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			if _, err := abijson.ParseStruct([]byte(c.text)); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("error is %v, want it to contain %s", err, c.want)
			}
		})
	}
}

func TestParseStructSortsKeys(t *testing.T) {
	s, err := abijson.ParseStruct([]byte(`{"b":1,"a":{"d":[],"c":-1e300}}`))
	if err != nil {
		t.Fatal(err)
	}
	text, err := abijson.FormatStruct(s)
	if err != nil || string(text) != `{"a":{"c":-1e+300,"d":[]},"b":1}` {
		t.Errorf("got %s (%v)", text, err)
	}
}

func TestFormatValueRefusesNumbersThatJSONDoesNotHave(t *testing.T) {
	_, err := abijson.FormatValue(abi.ListValue(abi.NumberValue(math.Inf(1))))
	if err == nil || !strings.Contains(err.Error(), "[0]: +Inf") {
		t.Errorf("error is %v", err)
	}
}

// jsonValues draws what JSON can hold.
func jsonValues(depth int) *rapid.Generator[any] {
	leaves := []*rapid.Generator[any]{
		rapid.Just[any](nil), rapid.Bool().AsAny(), rapid.String().AsAny(),
		rapid.Float64Range(-1e15, 1e15).AsAny(),
	}
	if depth > 0 {
		leaves = append(leaves,
			rapid.SliceOfN(jsonValues(depth-1), 0, 4).AsAny(),
			rapid.MapOfN(rapid.String(), jsonValues(depth-1), 0, 4).AsAny())
	}
	return rapid.OneOf(leaves...)
}

func TestMapJSONAndStructAgree(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		want := rapid.MapOfN(rapid.String(), jsonValues(3), 0, 5).Draw(t, "map")
		s, err := abijson.FromMap(want)
		if err != nil {
			t.Fatal(err)
		}
		if got := abijson.ToMap(s); !reflect.DeepEqual(got, want) {
			t.Fatalf("map became %v", got)
		}
		text, err := abijson.FormatStruct(s)
		if err != nil {
			t.Fatal(err)
		}
		back, err := abijson.ParseStruct(text)
		if err != nil || string(back.Append(nil)) != string(s.Append(nil)) {
			t.Fatalf("%s became %+v (%v)", text, back, err)
		}
	})
}

func FuzzParseStruct(f *testing.F) {
	for _, seed := range []string{`{}`, `{"a":[1,-2.5e3,null,true,{"b":"\u00e4"}]}`, `{"a":9007199254740993}`, `[`, `{"a":1}x`} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		s, err := abijson.ParseStruct(data)
		if err != nil {
			return
		}
		text, err := abijson.FormatStruct(s)
		if err != nil {
			t.Fatalf("%q was read and cannot be written: %v", data, err)
		}
		again, err := abijson.ParseStruct(text)
		if err != nil || string(again.Append(nil)) != string(s.Append(nil)) {
			t.Fatalf("%q was written as %s, which reads as %+v (%v)", data, text, again, err)
		}
	})
}
