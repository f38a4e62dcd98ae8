package json_test

import (
	"math"
	"math/big"
	"reflect"
	"strconv"
	"strings"
	"testing"

	"github.com/hermes-cdp/hermes-cdp/abi"
	"github.com/hermes-cdp/hermes-cdp/sdk/json"
)

func TestEveryKindOfValueIsRead(t *testing.T) {
	text := func(s string) abi.Value { return abi.StringValue(s) }
	for source, want := range map[string]abi.Value{
		"null": {}, " true\n": abi.BoolValue(true), "false": abi.BoolValue(false), "-12.5e1": abi.NumberValue(-125),
		`""`: text(""), `"a b"`: text("a b"), `"\"\\\/\b\f\n\r\t"`: text("\"\\/\b\f\n\r\t"), `"\u00e9\u20AC"`: text("é€"),
		`"\ud83d\ude00"`: text("😀"), `"x\ud83dy"`: text("x\ufffdy"), `"\ud83d\u0041"`: text("\ufffdA"), `"\ude00"`: text("\ufffd"),
		"[]": {Kind: abi.KindList}, "{}": {Kind: abi.KindStruct},
		`[1, [null], {"k" : "v"}]`: abi.ListValue(abi.NumberValue(1), abi.ListValue(abi.Value{}),
			abi.StructValue(abi.Struct{{Key: "k", Value: text("v")}})),
		`{"b":1,"a":2,"b":3}`: abi.StructValue(abi.Struct{
			{Key: "b", Value: abi.NumberValue(1)}, {Key: "a", Value: abi.NumberValue(2)}, {Key: "b", Value: abi.NumberValue(3)},
		}),
	} {
		if got, err := json.Parse(source); err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%s is %+v (%v), want %+v", source, got, err, want)
		}
	}
}

func TestAnErrorNamesThePlace(t *testing.T) {
	for source, want := range map[string]string{
		"": "at byte 0: want a value", "[1,]": "at byte 3: want a value", "tru": "at byte 0: want true", "[1 2]": "at byte 3: want a comma or ]",
		`{"a" 1}`: "at byte 5: want a colon", `{"a":1,}`: "at byte 7: want a key in quotes", `{1:2}`: "at byte 1: want a key in quotes",
		`"a`: "at byte 2: the text has no end", "\"a\nb\"": "at byte 2: a control character in a text; want an escape",
		`"\x"`: "at byte 1: an unknown escape", `"\u12g4"`: "at byte 3: want four hexadecimal digits", "1 2": "at byte 2: there is more after the value",
		"01": "at byte 1: there is more after the value", "-": "at byte 1: want a digit", "1.": "at byte 2: want a digit after the point",
		"1e+": "at byte 3: want a digit in the exponent", "[1e400]": "at byte 1: the number is too large", "\"\xff\"": "at byte 1: the text is not UTF-8",
		"\"\\n\xff\"": "at byte 1: the text is not UTF-8", `"\`: "at byte 1: an unknown escape",
	} {
		if got, err := json.Parse(source); err == nil || err.Error() != "json: "+want {
			t.Errorf("%q gives %+v, %v; want %s", source, got, err, want)
		}
	}
}

func TestATextOverABoundIsRefused(t *testing.T) {
	deep := func(n int) string { return strings.Repeat("[", n) + strings.Repeat("]", n) }
	long := func(n int) string { return `"` + strings.Repeat("x", n-2) + `"` }
	many := func(n int) string { return "[" + strings.Repeat("1,", n-2) + "1]" }
	slow := func(n int) string { return "[" + strings.Repeat("1e-300,", n-1) + "1e-300]" }
	for name, c := range map[string]struct{ fits, over, says string }{
		"depth":        {deep(json.MaxDepth), deep(json.MaxDepth + 1), "nests deeper than 32"},
		"bytes":        {long(json.MaxBytes), long(json.MaxBytes + 1), "longer than 262144 bytes"},
		"values":       {many(json.MaxValues), many(json.MaxValues + 1), "more than 8192 values"},
		"slow numbers": {slow(100), slow(101), "more than 100 numbers"},
	} {
		if _, err := json.Parse(c.fits); err != nil {
			t.Errorf("%s: what fits is refused: %v", name, err)
		}
		if _, err := json.Parse(c.over); err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: the error is %v", name, err)
		}
	}
}

func TestNumbersAreTheNearestOnes(t *testing.T) {
	for _, text := range []string{
		"0", "-0", "0.1", "0.30000000000000004", "123.4000015258789", "9007199254740993", "9007199254740991", "18446744073709551615",
		"1e22", "1e23", "8.5e22", "123456789012345678e19", "5e-324", "4.9e-324", "2.4703282292062327e-324", "2.4703282292062328e-324",
		"2.2250738585072014e-308", "2.2250738585072011e-308", "1.7976931348623157e308", "1e-400", "0e999999999", "1e-999999999999999999999",
		"0." + strings.Repeat("0", 400) + "1e400", "1" + strings.Repeat("0", 300) + "e-300", strings.Repeat("9", 308),
		"0.5e0", "1E+2",
	} {
		want, err := strconv.ParseFloat(text, 64)
		if err != nil {
			t.Fatal(err)
		}
		got, err := json.Parse(text)
		if err != nil || math.Float64bits(got.Number) != math.Float64bits(want) {
			t.Errorf("%.40s is %v (%v), want %v", text, got.Number, err, want)
		}
	}
}

// strconv itself reads whole numbers of more than 800 digits wrongly.
func TestNumbersOfManyDigitsAreTheNearestOnes(t *testing.T) {
	for _, text := range []string{
		"9007199254740992" + strings.Repeat("0", 900) + "e-900", "9007199254740993" + strings.Repeat("0", 900) + "e-900",
		"9007199254740993" + strings.Repeat("0", 900) + "1e-901", "9007199254740993." + strings.Repeat("0", 900) + "1",
	} {
		exact, _ := new(big.Rat).SetString(text)
		want, _ := exact.Float64()
		if got, err := json.Parse(text); err != nil || got.Number != want {
			t.Errorf("%.20s is %v (%v), want %v", text, got.Number, err, want)
		}
	}
}
