package abijson_test

import (
	"strings"
	"testing"

	"github.com/hermes-cdp/hermes-cdp/abi"
	"github.com/hermes-cdp/hermes-cdp/abi/abijson"
)

func TestErrorsOfEventsUseTheTermsOfJSON(t *testing.T) {
	for text, want := range map[string]string{
		`{"typ":"alert"}`:               "typ: unknown key",
		`{"header":{"sequence":"x"}}`:   "header.sequence: ",
		`{"type":"alarm"}`:              `type: unknown word "alarm"`,
		`[]`:                            "the whole: ",
		`{"message":1}`:                 "message: ",
		`{"message":"a","message":"b"}`: "duplicate",
	} {
		_, err := abijson.ParseEvent(abi.HookDialog, []byte(text))
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s gives %v", text, err)
		}
	}
}
