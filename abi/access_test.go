package abi_test

import (
	"math"
	"testing"

	"github.com/hermes-cdp/hermes-cdp/abi"
)

func TestGettersFindOnlyTheirKind(t *testing.T) {
	s := abi.Struct{
		{Key: "bool", Value: abi.BoolValue(true)},
		{Key: "list", Value: abi.ListValue(abi.Value{})},
		{Key: "null", Value: abi.Value{}},
		{Key: "number", Value: abi.NumberValue(1.5)},
		{Key: "struct", Value: abi.StructValue(abi.Struct{{Key: "x"}})},
		{Key: "text", Value: abi.StringValue("t")},
		{Key: "whole", Value: abi.NumberValue(-3)},
	}
	getters := map[string]func(string) bool{
		"text":   func(key string) bool { v, ok := s.GetString(key); return ok && v == "t" },
		"bool":   func(key string) bool { v, ok := s.GetBool(key); return ok && v },
		"number": func(key string) bool { v, ok := s.GetNumber(key); return ok && v == 1.5 },
		"whole":  func(key string) bool { v, ok := s.GetInt(key); return ok && v == -3 },
		"struct": func(key string) bool { v, ok := s.GetStruct(key); return ok && len(v) == 1 },
		"list":   func(key string) bool { v, ok := s.GetList(key); return ok && len(v) == 1 },
	}
	for want, get := range getters {
		for _, key := range []string{"bool", "list", "null", "number", "struct", "text", "whole", "absent"} {
			if got := get(key); got != (key == want) {
				t.Errorf("getter for %s on member %s: %v", want, key, got)
			}
		}
	}
}

func TestIntTakesWholeNumbersThatADoubleHolds(t *testing.T) {
	cases := []struct {
		number float64
		want   bool
	}{
		{0, true}, {-1, true}, {1<<53 - 1, true}, {1 - 1<<53, true},
		{1 << 53, false}, {0.5, false}, {math.NaN(), false}, {math.Inf(1), false}, {math.MaxFloat64, false},
	}
	for _, c := range cases {
		if n, ok := abi.NumberValue(c.number).Int(); ok != c.want || ok && float64(n) != c.number {
			t.Errorf("Int of %v is %d, %v", c.number, n, ok)
		}
	}
}
