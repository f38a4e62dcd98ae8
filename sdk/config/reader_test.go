package config_test

import (
	"math"
	"testing"

	"github.com/hermes-cdp/hermes-cdp/abi"
	"github.com/hermes-cdp/hermes-cdp/abi/abijson"
	"github.com/hermes-cdp/hermes-cdp/sdk/config"
)

type settings struct {
	name, mode string
	on         bool
	count, ms  int64
	items      []string
}

func read(object abi.Struct) (settings, error) {
	r := config.Read("configuration", object)
	s := settings{
		name: r.String("name", "none"), mode: r.OneOf("mode", "slow", "slow", "fast", "off"), on: r.Bool("on", true),
		count: r.Int("count", 3, 0, 10), ms: r.Milliseconds("wait_s", 500, 60),
	}
	r.Objects("items", func(item *config.Reader) {
		s.items = append(s.items, item.String("id", "-"))
		if !item.Has("id") {
			item.Refuse("id", "a string")
		}
	})
	return s, r.Err()
}

func parse(t *testing.T, text string) abi.Struct {
	t.Helper()
	s, err := abijson.ParseStruct([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestReaderReturnsValuesAndDefaults(t *testing.T) {
	got, err := read(parse(t, `{"name":"n","mode":"fast","on":false,"count":10,"wait_s":1.5,"items":[{"id":"a"},{"id":"b"}]}`))
	if err != nil || got.name != "n" || got.mode != "fast" || got.on || got.count != 10 || got.ms != 1500 || len(got.items) != 2 {
		t.Errorf("got %+v (%v)", got, err)
	}
	for _, text := range []string{`{}`, `{"name":null,"mode":null,"on":null,"count":null,"wait_s":null,"items":null}`} {
		got, err := read(parse(t, text))
		if err != nil || got.name != "none" || got.mode != "slow" || !got.on || got.count != 3 || got.ms != 500 || got.items != nil {
			t.Errorf("%s: got %+v (%v)", text, got, err)
		}
	}
}

func TestReaderErrorsNameKeyValueAndChoices(t *testing.T) {
	cases := []struct{ text, want string }{
		{`{"name":1.25}`, `configuration: name: 1.250 is not possible; want a string`},
		{`{"mode":"quick"}`, `configuration: mode: "quick" is not possible; want slow, fast or off`},
		{`{"mode":true}`, `configuration: mode: true is not possible; want slow, fast or off`},
		{`{"on":"yes"}`, `configuration: on: "yes" is not possible; want true or false`},
		{`{"count":11}`, `configuration: count: 11 is not possible; want a whole number from 0 to 10`},
		{`{"count":-0.5}`, `configuration: count: -0.500 is not possible; want a whole number from 0 to 10`},
		{`{"count":1e300}`, `configuration: count: this number is not possible; want a whole number from 0 to 10`},
		{`{"wait_s":0}`, `configuration: wait_s: 0 is not possible; want seconds, more than 0 and at most 60`},
		{`{"wait_s":61}`, `configuration: wait_s: 61 is not possible; want seconds, more than 0 and at most 60`},
		{`{"wait_s":{}}`, `configuration: wait_s: an object is not possible; want seconds, more than 0 and at most 60`},
		{`{"items":"a"}`, `configuration: items: "a" is not possible; want an array of objects`},
		{`{"items":[{"id":"a"},7]}`, `configuration: items[1]: 7 is not possible; want an object`},
		{`{"items":[{"id":"a"},{}]}`, `configuration: items[1].id: is missing; want a string`},
		{`{"items":[{"id":"a","x":1}]}`, `configuration: items[0]: unknown key "x"; known are id`},
		{`{"nane":"n"}`, `configuration: unknown key "nane"; known are name, mode, on, count, wait_s and items`},
	}
	for _, c := range cases {
		if _, err := read(parse(t, c.text)); err == nil || err.Error() != c.want {
			t.Errorf("%s gives\n%v\nwant\n%s", c.text, err, c.want)
		}
	}
}

func TestReaderRefusesNumbersThatJSONDoesNotHave(t *testing.T) {
	for _, n := range []float64{math.NaN(), math.Inf(1), math.Inf(-1)} {
		for _, key := range []string{"count", "wait_s"} {
			if _, err := read(abi.Struct{{Key: key, Value: abi.NumberValue(n)}}); err == nil {
				t.Errorf("%s takes %v", key, n)
			}
		}
	}
}
