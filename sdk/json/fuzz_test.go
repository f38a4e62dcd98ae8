package json_test

import (
	reference "encoding/json"
	"errors"
	"math"
	"math/big"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/hermes-cdp/hermes-cdp/abi"
	"github.com/hermes-cdp/hermes-cdp/abi/abijson"
	"github.com/hermes-cdp/hermes-cdp/sdk/json"
)

// FuzzParse compares the reader with encoding/json on arbitrary texts.
func FuzzParse(f *testing.F) {
	for _, seed := range []string{
		`{"a":[1,-2.5e-3,true,false,null,"x\u00e9\ud83d\ude00\ud800"],"b":{}}`, ` [ ] `, `{"a":1,"a":2}`, `"\/"`, "1e309", "[[[[", "123.4000015258789",
		"\"\u2028\"", "0.000001e-320", "9007199254740993", "-0.0", "{\"\":{}}", "\xef\xbb\xbf1", "[1,]", "nul", "1e-5000000000",
	} {
		f.Add(seed)
	}
	f.Fuzz(compare)
}

func compare(t *testing.T, text string) {
	if len(text) > 700 {
		return // encoding/json misreads whole numbers of more than 800 digits
	}
	if !utf8.ValidString(text) {
		_, _ = json.Parse(text) // encoding/json repairs it; what matters is that it ends
		return
	}
	got, err := json.Parse(text)
	var bounded *json.Error
	if errors.As(err, &bounded) && (strings.Contains(bounded.Reason, "more than") || strings.Contains(bounded.Reason, "nests") || strings.Contains(bounded.Reason, "longer than")) {
		return
	}
	var plain any
	if refErr := reference.Unmarshal([]byte(text), &plain); (err == nil) != (refErr == nil) {
		t.Fatalf("%q: ours: %v, the reference: %v", text, err, refErr)
	}
	if err != nil {
		return
	}
	want, err := abijson.FromAny(plain)
	if err != nil {
		t.Fatal(err)
	}
	var ordered abi.Value // as encoding/json has it: ordered by key, each key once
	if err := ordered.Unmarshal(got.Append(nil)); err != nil {
		t.Fatal(err)
	}
	if a, b := string(ordered.Append(nil)), string(want.Append(nil)); a != b {
		t.Fatalf("%q: ours: %+v\nthe reference: %+v", text, got, want)
	}
}

// FuzzNumber compares the numbers bit by bit.
func FuzzNumber(f *testing.F) {
	for _, bits := range []uint64{0, 1, 1 << 52, 1<<52 - 1, math.Float64bits(0.1), math.Float64bits(1e23), math.Float64bits(math.MaxFloat64)} {
		f.Add(bits, 5)
	}
	f.Fuzz(func(t *testing.T, bits uint64, precision int) {
		value := math.Abs(math.Float64frombits(bits))
		if math.IsNaN(value) || math.IsInf(value, 0) {
			return
		}
		for _, text := range []string{
			strconv.FormatFloat(value, 'e', precision&1023, 64), strconv.FormatFloat(value, 'g', -1, 64), between(value),
		} {
			want, err := strconv.ParseFloat(text, 64)
			got, ourErr := json.Parse(text)
			if (err == nil) != (ourErr == nil) || err == nil && (got.Kind != abi.KindNumber || got.Number != want) {
				t.Fatalf("%s: ours: %v (%v), the reference: %v (%v)", text, got.Number, ourErr, want, err)
			}
		}
	})
}

// between is the number halfway to the next one, where rounding is hardest; it needs all its digits.
func between(value float64) string {
	next := math.Nextafter(value, math.Inf(1))
	if math.IsInf(next, 1) {
		return "1"
	}
	middle := new(big.Float).SetPrec(2000).SetFloat64(value)
	middle.Add(middle, new(big.Float).SetPrec(2000).SetFloat64(next))
	middle.Quo(middle, big.NewFloat(2))
	return middle.Text('e', 800)
}
