package strictjson_test

import (
	"encoding/hex"
	stdjson "encoding/json"
	"errors"
	"reflect"
	"strings"
	"testing"

	"github.com/go-json-experiment/json"
	"pgregory.net/rapid"

	"github.com/hermes-cdp/hermes-cdp/internal/strictjson"
)

type digits []byte

func (d digits) MarshalText() ([]byte, error) { return []byte(hex.EncodeToString(d)), nil }
func (d *digits) UnmarshalText(text []byte) (err error) {
	*d, err = hex.DecodeString(string(text))
	return err
}

type leaf struct {
	Name  string `json:"name,omitzero"`
	Count int32  `json:"count,omitzero"`
}

type tree struct {
	Name   string            `json:"name"`
	Empty  string            `json:"empty,omitempty"`
	Large  uint64            `json:"large,omitzero"`
	Small  int64             `json:"small,omitzero"`
	Share  float64           `json:"share,omitzero"`
	Yes    bool              `json:"yes,omitzero"`
	Bytes  []byte            `json:"bytes,omitempty"`
	Digits *digits           `json:"digits,omitzero"`
	List   []leaf            `json:"list,omitzero"`
	One    leaf              `json:"one,omitempty"`
	Table  map[string]string `json:"table,omitzero"`
	Unseen string            `json:"-"`
}

func trees() *rapid.Generator[tree] {
	leaves := rapid.Custom(func(t *rapid.T) leaf {
		return leaf{rapid.String().Draw(t, "name"), rapid.Int32().Draw(t, "count")}
	})
	return rapid.Custom(func(t *rapid.T) tree {
		out := tree{
			Name: rapid.String().Draw(t, "name"), Empty: rapid.String().Draw(t, "empty"), Large: rapid.Uint64().Draw(t, "large"),
			Small: rapid.Int64().Draw(t, "small"), Share: rapid.Float64Range(-1e30, 1e30).Draw(t, "share"), Yes: rapid.Bool().Draw(t, "yes"),
			One: leaves.Draw(t, "one"), Table: rapid.MapOfN(rapid.String(), rapid.String(), 0, 3).Draw(t, "table"),
			List: rapid.SliceOfN(leaves, 0, 3).Draw(t, "list"), Bytes: rapid.SliceOfN(rapid.Byte(), 0, 8).Draw(t, "bytes"),
		}
		if rapid.Bool().Draw(t, "has digits") {
			d := digits(rapid.SliceOfN(rapid.Byte(), 0, 4).Draw(t, "digits"))
			out.Digits = &d
		}
		return out
	})
}

// What is written is what a well-known library writes of the same tags, and is read as the same value.
func TestItWritesAndReadsAsAnotherLibrary(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		value := trees().Draw(t, "value")
		got, err := strictjson.Marshal(value)
		want, wantErr := json.Marshal(value, json.Deterministic(true))
		if err != nil || wantErr != nil || string(got) != string(want) {
			t.Fatalf("%s (%v)\nwant %s (%v)", got, err, want, wantErr)
		}
		var back, wantBack tree
		err, wantErr = strictjson.Unmarshal(got, &back), json.Unmarshal(want, &wantBack, json.RejectUnknownMembers(true))
		if err != nil || wantErr != nil || !reflect.DeepEqual(back, wantBack) {
			t.Fatalf("%s is read as\n%+v (%v)\nwant\n%+v (%v)", got, back, err, wantBack, wantErr)
		}
	})
}

// Of any text, both libraries make the same value or an error.
func FuzzUnmarshal(f *testing.F) {
	for _, seed := range []string{
		`{}`, `null`, `{"name":"a","list":[{"name":"b","count":-1},{}],"table":{"k":"v"},"digits":"00ff","bytes":"AQI="}`, `{"name":"\ud83d\ude00\u00e4"}`,
		`{"name":"\ud800"}`, `{"Name":"x"}`, `{"name":"x","name":"y"}`, `{"count":1}`, `{"list":[{"x":1}]}`, `{"large":-1}`, `{"share":1e400}`,
		`{"yes":1}`, `{} {}`, `{"one":null,"list":null,"digits":null}`, `[`, "\xff", `{"name":"\\ud800"}`, `{"share":"1"}`, `{"table":{"a":"1","a":"2"}}`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		var got, want tree
		err, wantErr := strictjson.Unmarshal(text, &got), json.Unmarshal(text, &want, json.RejectUnknownMembers(true))
		if (err == nil) != (wantErr == nil) || err == nil && !reflect.DeepEqual(got, want) {
			t.Fatalf("%q is read as\n%+v (%v)\nwant\n%+v (%v)", text, got, err, want, wantErr)
		}
		var at *strictjson.Error
		if err != nil && !errors.As(err, &at) {
			t.Errorf("%q: the error is a %T", text, err)
		}
	})
}

func TestErrorsSayWhere(t *testing.T) {
	for text, want := range map[string]string{
		`{"list":[{},{"x":1}]}`:      "list[1].x: unknown key",
		`{"Name":"x"}`:               "Name: unknown key",
		`{"table":{"a.b":1}}`:        `table."a.b": want text, not the number 1`,
		`{"name":"a","name":"b"}`:    "name: duplicate key",
		`{"digits":"0"}`:             "digits: encoding/hex: odd length hex string",
		`{"bytes":[1]}`:              "bytes: want bytes in base64, not a list",
		`{"list":{}}`:                "list: want a list, not an object",
		`{"small":1.5}`:              "small: 1.5 is not an integer of 64 bits",
		`{"list":[{"count":4e9}]}`:   "list[0].count: 4e9 is not an integer of 32 bits",
		`{} 1`:                       "the whole: more text after the value",
		`{"name":`:                   "name: unexpected EOF",
		"{\"name\":\"\xff\"}":        "the whole: the text is not UTF-8",
		`{"name":"\udc00\ud800"}`:    `the whole: \udc00 is half of a surrogate pair`,
		`[]`:                         "the whole: want an object, not a list",
		`{"yes":"true"}`:             `yes: want true or false, not the text "true"`,
		`{"one":{"name":{"deep":1}}`: "one.name: want text, not an object",
	} {
		var value tree
		if err := strictjson.Unmarshal([]byte(text), &value); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%s gives %v, want %s", text, err, want)
		}
	}
}

type answer struct {
	HasText bool
	Text    string             `json:"text,omitzero"`
	Raw     stdjson.RawMessage `json:"raw,omitzero"`
}

// A text that may be absent is told from an empty one, and raw texts are kept.
func TestATextMayBeAbsent(t *testing.T) {
	for text, want := range map[string]answer{
		`{}`:                    {},
		`{"text":""}`:           {HasText: true},
		`{"text":"x"}`:          {HasText: true, Text: "x"},
		`{"raw":{"b":1,"a":2}}`: {Raw: stdjson.RawMessage(`{"b":1,"a":2}`)},
	} {
		var got answer
		if err := strictjson.Unmarshal([]byte(text), &got); err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%s is read as %+v (%v)", text, got, err)
		}
		if out, err := strictjson.Marshal(got); err != nil || string(out) != text {
			t.Errorf("%s is written as %s (%v)", text, out, err)
		}
	}
}

func TestTextsThatAreNotUTF8AreNotWritten(t *testing.T) {
	if out, err := strictjson.Marshal(leaf{Name: "\xff"}); err == nil {
		t.Errorf("it is written as %q", out)
	}
}
