package config_test

import (
	"slices"
	"testing"

	"github.com/hermes-cdp/hermes-cdp/sdk/config"
)

func TestReaderReturnsTexts(t *testing.T) {
	for text, want := range map[string][]string{`{}`: nil, `{"list":null}`: nil, `{"list":[]}`: {}, `{"list":["a","","b"]}`: {"a", "", "b"}} {
		r := config.Read("configuration", parse(t, text))
		if got := r.Strings("list"); r.Err() != nil || !slices.Equal(got, want) {
			t.Errorf("%s: got %q (%v)", text, got, r.Err())
		}
	}
}

func TestReaderErrorsNameTheItem(t *testing.T) {
	for text, want := range map[string]string{
		`{"list":"a"}`:        `configuration: list: "a" is not possible; want an array of strings`,
		`{"list":["a",7]}`:    `configuration: list[1]: 7 is not possible; want a string`,
		`{"list":["a","no"]}`: `configuration: list[1]: "no" is not possible; want another`,
	} {
		r := config.Read("configuration", parse(t, text))
		for i, item := range r.Strings("list") {
			if item == "no" {
				r.RefuseItem("list", i, "another")
			}
		}
		if err := r.Err(); err == nil || err.Error() != want {
			t.Errorf("%s: error is %v", text, err)
		}
	}
}
